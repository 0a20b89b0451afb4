"""The web gyms, one folder an app."""
