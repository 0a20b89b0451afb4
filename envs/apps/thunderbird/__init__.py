"""Tools on Thunderbird: messages, accounts, settings."""
