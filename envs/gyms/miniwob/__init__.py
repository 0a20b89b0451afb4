"""MiniWoB++ as a gym: the `miniwob` package's pages, begun by seed, judged by themselves."""
