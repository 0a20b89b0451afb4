"""Scripts: trajectories made replayable, without a model."""
