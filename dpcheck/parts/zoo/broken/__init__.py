"""Mechanisms with one defect each, named after it: an audit must catch it."""
