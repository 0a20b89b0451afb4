"""A cluster on one kernel: a machine for each part, some of them taken away in mid-run."""
