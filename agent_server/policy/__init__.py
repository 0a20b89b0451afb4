"""Serving policies: engines, client, published versions and the verified hot swap."""
