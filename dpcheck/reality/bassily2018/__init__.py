"""Bassily, Thakkar & Thakurta 2018, run."""
