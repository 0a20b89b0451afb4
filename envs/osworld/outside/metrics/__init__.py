"""Metrics of our own, one file a kind of thing judged."""
