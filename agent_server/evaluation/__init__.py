"""Evaluation jobs: tasks x trials x policies, a fixed denominator, a stamp, and what it came to."""
