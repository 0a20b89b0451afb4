"""State and what is expected of it: canonical form, hash, differences, evidence of a verdict."""
