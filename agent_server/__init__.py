"""Runs episodes, serves the policy, and answers people over HTTP. Knows no trainer."""
