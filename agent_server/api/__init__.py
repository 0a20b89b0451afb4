"""The HTTP API: tasks, policy, runs, health, metrics."""
