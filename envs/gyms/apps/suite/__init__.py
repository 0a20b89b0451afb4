"""All apps of one company, and tasks that cross them."""
