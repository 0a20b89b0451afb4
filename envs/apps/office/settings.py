"""LibreOffice's own settings, which its Tools > Options dialog shows."""

from __future__ import annotations

from typing import Any

from envs.apps.office.uno_values import property_value, service


def configure(node: str, values: dict[str, Any]) -> None:
    """Sets values of a configuration node and writes them to the user's profile."""
    provider = service("configuration.ConfigurationProvider")
    settings = provider.createInstanceWithArguments(
        "com.sun.star.configuration.ConfigurationUpdateAccess",
        (property_value("nodepath", node),),
    )
    for name, value in values.items():
        settings.setPropertyValue(name, value)
    settings.commitChanges()
    # Without this they are written a second or more later.
    provider.flush()
