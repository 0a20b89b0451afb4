"""Other people's action formats: what their models say becomes our actions, and what happened
becomes what they expect to read."""
