"""Figures of an evaluation: statistics, summaries, comparisons."""
