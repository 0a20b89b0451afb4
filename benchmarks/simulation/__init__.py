"""A discrete-event model of the scheduler, its calibration, and runs to check it against."""
