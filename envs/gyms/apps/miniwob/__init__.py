"""MiniWoB++ as a gym: the pages of the `miniwob` package, which take a seed and judge it."""
