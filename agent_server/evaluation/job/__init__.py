"""An evaluation job: plan, stamp, trials, results."""
