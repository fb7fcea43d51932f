"""Losses and finite problems, and the least risk that privacy allows on them."""
