"""Metric of LibreOffice's settings file (registrymodifications.xcu)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from lxml import etree

OOR = "http://openoffice.org/2001/registry"
NAMES = ("ooSetupSystemLocale", "ooLocale")
"""The locale of formats; the language of menus, where that is not set."""


def check_libre_locale(result: Path, rules: Mapping[str, Sequence[str]]) -> float:
    """1 when the locale matches one of the shell patterns `locale_set`."""
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        root = etree.parse(result, parser).getroot()
    except etree.XMLSyntaxError:
        return 0.0
    locale = next((text for name in NAMES if (text := _setting(root, name)) is not None), "")
    return float(
        bool(locale) and any(fnmatchcase(locale, pattern) for pattern in rules["locale_set"])
    )


def _setting(root: Any, name: str) -> str | None:
    """None where it is not set."""
    for item in root.iter("item"):
        if item.get(f"{{{OOR}}}path", "").endswith("L10N"):
            for prop in item.iterchildren("prop"):
                value = prop.find("value")
                if prop.get(f"{{{OOR}}}name") == name and value is not None:
                    return value.text or ""
    return None
