"""`deskhand bench guard`: pages that give orders, an agent that obeys them, and the guard."""
