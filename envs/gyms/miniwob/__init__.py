"""MiniWoB++ as a gym: the pages of the `miniwob` package, begun by seed and judged by themselves."""
