"""Audits of one run: canaries that are in the data or not, each by a coin of its own, guessed from what was learned.

In come scores of canaries and which of them were in; out goes a verdict. Uses the model and the room of execution.
"""
