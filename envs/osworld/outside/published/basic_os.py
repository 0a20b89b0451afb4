"""OSWorld's metrics of the desktop itself: what its commands print, what a folder lists.

Guarantees: output of the machine is data; nothing of it is evaluated as code.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

ZONE = re.compile(r"^\s*Time zone:.*\(.*([+-]\d{4})\)\s*$", re.MULTILINE)


def check_gnome_favorite_apps(result: str, expected: Mapping[str, list[str]]) -> float:
    """1 when the list that `gsettings get` printed holds just these, in any order. OSWorld's
    evaluates it as Python."""
    try:
        # An empty list is printed with its type: "@as []".
        apps = ast.literal_eval(result.strip().removeprefix("@as "))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return 0.0
    if not isinstance(apps, list) or not all(isinstance(app, str) for app in apps):
        return 0.0
    return float(Counter(apps) == Counter(expected["expected"]))


def check_gnome_favorite_apps_compat(result: str, expected: Mapping[str, list[str]]) -> float:
    """Repeated names count once if there are as many as expected. What is no literal of Python is
    an error; OSWorld's runs it, and ours never does."""
    apps = ast.literal_eval(result)
    favorites = expected["expected"]
    return float(len(apps) == len(favorites) and set(apps) == set(favorites))


def is_utc_0(result: str) -> float:
    """1 when `timedatectl status` names a time zone whose offset is zero now."""
    match = ZONE.search(result)
    return float(match is not None and match.group(1) in ("+0000", "-0000"))


def is_utc_0_compat(result: str) -> float:
    """Looks at the end of the fourth line, whatever it says. Raises IndexError."""
    return float(result.split("\n")[3].endswith("+0000)"))


def check_text_enlarged(result: str) -> float:
    """1 when the scaling factor of text is above 1. What is no number scores 0."""
    try:
        return float(float(result) > 1)
    except ValueError:
        return 0.0


def check_text_enlarged_compat(result: str) -> float:
    """Raises ValueError for what is no number."""
    return float(float(result) > 1)


def check_moved_jpgs(result: Mapping[str, Any], expected: Mapping[str, list[str]]) -> float:
    """1 when the folder holds just these names; `result` is its tree."""
    names = sorted(child["name"] for child in result["children"])
    return float(names == sorted(expected["expected"]))


def is_in_vm_clickboard(result: Mapping[str, str | list[str]], expected: str) -> float:
    """1 when the clipboard, here `expected`, holds the text or all texts that `result` says."""
    texts = result["expected"]
    return float(all(text in expected for text in ([texts] if isinstance(texts, str) else texts)))
