"""A discrete-event model of the scheduler: pure, it measures nothing."""
