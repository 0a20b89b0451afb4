"""Turns episodes into better weights."""
