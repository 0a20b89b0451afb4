"""Deskhand behind other interfaces: MCP, gymnasium, the environments of other trainers."""
