"""State as JSON: canonical form, hash, differences, and the evidence of a verdict."""
