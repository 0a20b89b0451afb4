"""Deskhand behind other interfaces: MCP, gymnasium."""
