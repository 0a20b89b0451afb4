"""Task files in OSWorld's format, and what the box and the judge share: assets, makers, readers."""
