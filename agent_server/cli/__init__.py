"""The `deskhand` command."""
