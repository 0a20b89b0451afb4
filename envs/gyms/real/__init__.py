"""Applications of others as gyms: their server in a box, their state by session, their pages."""
