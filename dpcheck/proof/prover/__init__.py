"""Formulas of proofs decided by machine: a search for certificates, and a separate checker that replays them."""
