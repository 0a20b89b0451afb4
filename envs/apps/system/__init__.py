"""Tools on processes, settings, windows, the shell, text and code."""
