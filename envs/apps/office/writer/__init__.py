"""Tools on Writer documents."""
