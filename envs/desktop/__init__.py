"""X11 desktops: Xvfb, window manager, panel, D-Bus, AT-SPI; input and pictures in process."""
