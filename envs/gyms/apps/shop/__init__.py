"""A web shop: catalogue, search, cart, checkout, account."""
