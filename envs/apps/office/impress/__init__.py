"""Tools on Impress presentations."""
