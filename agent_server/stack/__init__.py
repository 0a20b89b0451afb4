"""Child processes of one machine, and the same parts run by others."""
