"""OSWorld's metrics as OSWorld scores, defects included: those too large to stand beside ours."""
