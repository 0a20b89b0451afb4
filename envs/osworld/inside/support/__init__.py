"""What the desktop's session asks of tasks in OSWorld's format: setup steps and evidence."""
