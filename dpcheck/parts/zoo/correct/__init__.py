"""Mechanisms that keep their claim: an audit must not say otherwise."""
