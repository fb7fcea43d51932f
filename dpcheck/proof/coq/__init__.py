"""Formulas and their certificates as statements and proofs for Coq, whose kernel has nothing of ours in it."""
