"""Alon, Bassily & Moran 2019, "Limits of Private Learning with Access to Public Data"."""
