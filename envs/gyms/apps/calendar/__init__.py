"""Calendar: events, invitations, rooms, days out of office, working hours."""
