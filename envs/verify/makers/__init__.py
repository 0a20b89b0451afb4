"""Office files made from what a task says, byte for byte the same each time."""
