"""Chaudhuri & Hsu 2011, "Sample Complexity Bounds for Differentially Private Learning"."""
