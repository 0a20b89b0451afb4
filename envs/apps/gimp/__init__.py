"""Tools on GIMP images and layers."""
