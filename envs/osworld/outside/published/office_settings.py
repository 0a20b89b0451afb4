"""OSWorld's metrics of LibreOffice's own settings, in its file registrymodifications.xcu.

Guarantees: the last entry of a setting counts, as it does for LibreOffice.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from envs.osworld.outside.published.error_policy import broken_scores_0, get_rule
from envs.osworld.outside.published.safe_xml import parse_xml

OOR = "{http://openoffice.org/2001/registry}"
SAVING = "/org.openoffice.Office.Common/Save/Document"


@broken_scores_0
def find_default_font(result: Path, expected: Mapping[str, str]) -> float:
    """1 when Writer's standard font is `font_name`."""
    font = get_rule(expected, "font_name", str)
    return float(_setting(result, "/org.openoffice.Office.Writer/DefaultFont", "Standard") == font)


@broken_scores_0
def check_presenter_console_disable(result: Path) -> float:
    """1 when the presenter console is off; it is on unless set."""
    path = "/org.openoffice.Office.Impress/Misc/Start"
    return float((_setting(result, path, "EnablePresenterScreen") or "").lower() == "false")


@broken_scores_0
def check_auto_saving_time(result: Path, expected: Mapping[str, int]) -> float:
    """1 when documents save themselves every so many `minutes`, and saving is not turned off."""
    minutes = get_rule(expected, "minutes", int)
    interval = _setting(result, SAVING, "AutoSaveTimeIntervall")
    on = _setting(result, SAVING, "AutoSave") != "false"
    return float(on and interval is not None and int(interval) == minutes)


def check_auto_saving_time_compat(result: Path, expected: Mapping[str, int]) -> float:
    """Also when saving is turned off. Raises ValueError for an interval that is no number."""
    try:
        interval = _setting(result, SAVING, "AutoSaveTimeIntervall")
    except SyntaxError:
        return 0.0
    return float(interval is not None and int(interval) == expected["minutes"])


def _setting(file: Path, path: str, name: str) -> str | None:
    value = None
    for item in parse_xml(file.read_bytes()).iter("item"):
        if item.get(f"{OOR}path") == path:
            for prop in item.iter("prop"):
                if prop.get(f"{OOR}name") == name:
                    value = prop.findtext("value")
    return value
