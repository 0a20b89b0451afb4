"""Cases of upstream's module basic_os: what commands print, what a folder lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.osworld.parity.case import Case, cases_in

_case = cases_in("basic_os")

CLOCK = """               Local time: Thu 2024-01-25 12:56:06 UTC
           Universal time: Thu 2024-01-25 12:56:06 UTC
                 RTC time: Thu 2024-01-25 12:56:05
                Time zone: {zone}
System clock synchronized: yes
"""


def cases(folder: Path) -> Iterator[Case]:
    yield from _favorites()
    yield from _clock()
    yield from _text()
    yield from _folders()
    yield from _clipboard()


def _favorites() -> Iterator[Case]:
    metric, two = "check_gnome_favorite_apps", {"expected": ["chrome.desktop", "mail.desktop"]}
    yield _case(metric, "same", "['chrome.desktop', 'mail.desktop']\n", two)
    yield _case(metric, "other order", "['mail.desktop', 'chrome.desktop']\n", two)
    yield _case(metric, "one more", "['mail.desktop', 'chrome.desktop', 'vim.desktop']\n", two)
    yield _case(metric, "one less", "['mail.desktop']\n", two)
    yield _case(metric, "empty", "[]", {"expected": []})
    yield _case(metric, "empty as gsettings says", "@as []\n", {"expected": []}, "favorites-eval")
    yield _case(metric, "nothing printed", "", two, "favorites-eval")


def _clock() -> Iterator[Case]:
    yield _case("is_utc_0", "utc", CLOCK.format(zone="Etc/UTC (UTC, +0000)"))
    yield _case("is_utc_0", "faroe", CLOCK.format(zone="Atlantic/Faroe (WET, +0000)"))
    yield _case("is_utc_0", "paris", CLOCK.format(zone="Europe/Paris (CET, +0100)"))
    yield _case("is_utc_0", "empty", "", differs="utc-by-line")
    zone = f"Warning: clock\n{CLOCK.format(zone='Etc/UTC (UTC, +0000)')}"
    yield _case("is_utc_0", "a line before", zone, differs="utc-by-line")


def _text() -> Iterator[Case]:
    for factor in ("1.25\n", "1.0\n", "0.9", "nan", "2"):
        yield _case("check_text_enlarged", factor.strip(), factor)
    yield _case("check_text_enlarged", "no number", "large\n", differs="text-factor")


def _folders() -> Iterator[Case]:
    def tree(*names: str) -> dict[str, Any]:
        children = [{"type": "file", "name": name} for name in names]
        return {"type": "directory", "name": "cpjpg", "children": children}

    metric, two = "check_moved_jpgs", {"expected": ["a.jpg", "b.jpg"]}
    yield _case(metric, "same", tree("a.jpg", "b.jpg"), two)
    yield _case(metric, "other order", tree("b.jpg", "a.jpg"), two)
    yield _case(metric, "one more", tree("b.jpg", "a.jpg", "c.png"), two)
    yield _case(metric, "another", tree("b.jpg", "c.jpg"), two)
    yield _case(metric, "empty", tree(), two)


def _clipboard() -> Iterator[Case]:
    metric = "is_in_vm_clickboard"
    yield _case(metric, "there", {"expected": "/home/a.docx"}, "/home/a.docx")
    yield _case(metric, "within", {"expected": "/home/a.docx"}, " /home/a.docx\n")
    yield _case(metric, "another", {"expected": "/home/a.docx"}, "/home/b.docx")
    yield _case(metric, "empty", {"expected": "/home/a.docx"}, "")
    yield _case(metric, "all", {"expected": ["a", "b"]}, "b a")
    yield _case(metric, "not all", {"expected": ["a", "b"]}, "a")
