"""Tasks in OSWorld's format: their files, what runs inside a box, what judges outside of it."""
