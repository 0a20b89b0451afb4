"""Algorithms of reinforcement by name, a file each: what they decide, and nothing of how it is
computed. Nothing here imports another part of the trainer."""
