"""The HTTP service inside a box: sessions with leases, tools, schemas."""
