"""`deskhand bench ...`: every speed or memory figure the README quotes comes from here."""
