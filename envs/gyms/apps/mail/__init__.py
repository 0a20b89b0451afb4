"""A mail client: folders, threads, attachments, rules, settings."""
