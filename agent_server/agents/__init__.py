"""Whoever acts in an episode: our own policies, endpoints of others, Python classes; one seam."""
