"""What the gyms' apps share: the world of a seed, looks, widgets, pages, tasks, oracles."""
