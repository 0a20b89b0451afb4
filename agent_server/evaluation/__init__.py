"""Evaluation jobs: tasks x trials of one policy, resumable, with figures and exports."""
