"""The fault campaign: seeded injections into the whole system under load, then an account of every
episode.
"""
