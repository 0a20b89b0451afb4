"""The contract of agents and environments: actions, observations, tasks, sessions, outcomes.

Imports nothing of Deskhand: other people build on it.
"""
