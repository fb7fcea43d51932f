"""The hard instances of the papers' lower bounds: classes, finite descriptions, distributions to draw from."""
