"""Judging by state: canonical form, hash, difference, expectation."""
