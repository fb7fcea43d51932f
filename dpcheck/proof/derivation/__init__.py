"""Derivations: how a printed line follows from laws, events, expectations and private algorithms, rule by rule."""
