"""Verbal feedback: what went wrong, told to the next attempt, and learnt without being told."""
