"""Tools on the desktop's Chromium, over its debugging port."""
