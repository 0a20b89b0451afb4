"""The worker process: leases episodes and runs them."""
