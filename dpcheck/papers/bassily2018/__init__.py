"""Bassily, Thakkar & Thakurta 2018, "Model-Agnostic Private Learning via Stability"."""
