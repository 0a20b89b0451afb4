"""Tools that work on LibreOffice's documents.

The functions here run inside LibreOffice, whose Python is Debian's own (`envs.apps.office.bridge`
takes them there); they import nothing but the standard library and, inside functions, `uno`.
The host imports the same modules to read signatures and docstrings, and never calls them.
All tools together are `envs.apps.office.bridge.catalog.TOOLS`.
"""
