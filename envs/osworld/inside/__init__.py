"""What runs in a box: setup steps, getters, the collection of evidence."""
