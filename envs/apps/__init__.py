"""API actions by application: typed functions that a policy calls by name."""
