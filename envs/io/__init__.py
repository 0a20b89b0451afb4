"""Files, downloads and child processes: what any layer may use to touch the machine safely."""
