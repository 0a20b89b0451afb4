"""The console: pages of the HTTP API for people."""
