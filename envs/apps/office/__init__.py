"""LibreOffice over one lasting UNO connection.

The functions here run in a process of Debian's own Python (`envs.apps.office.bridge`), which has
the `uno` module; they import nothing but the standard library and, inside functions, `uno`.
The host imports the same modules to read signatures and docstrings, and never calls them.
All tools together are `envs.apps.office.bridge.catalog.TOOLS`.
"""
