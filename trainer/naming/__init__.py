"""Names nobody knows by heart: made-up words, and texts whose names they take."""
