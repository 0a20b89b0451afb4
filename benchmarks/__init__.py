"""`deskhand bench ...`: every speed or memory figure that docs/figures.md shows comes from here."""
