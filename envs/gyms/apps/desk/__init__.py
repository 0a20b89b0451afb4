"""Help desk: tickets and their conversations, a board, customers, canned replies, deadlines."""
