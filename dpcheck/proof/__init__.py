"""What the papers state, as data, and the bounds that follow, as symbolic objects with explicit constants."""
