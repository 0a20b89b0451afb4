"""Cases of upstream's module libreoffice: the locale in the settings file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.osworld.parity.case import Case

ITEM = (
    '<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="{}" oor:op="fuse">'
    "<value>{}</value></prop></item>"
)
FILE = '<oor:items xmlns:oor="http://openoffice.org/2001/registry">{}</oor:items>'


def cases(folder: Path) -> Iterator[Case]:
    def case(name: str, content: str, differs: str = "") -> Case:
        path = folder / f"{name}.xcu"
        path.write_text(content)
        return Case(
            name=name, metric="check_libre_locale", module="libreoffice", result=path,
            expected={"locale_set": ["en-US", "de-*"]}, differs=differs,
        )  # fmt: skip

    formats, menus = ("ooSetupSystemLocale", "ooLocale")
    yield case("of formats", FILE.format(ITEM.format(formats, "en-US")))
    yield case("by pattern", FILE.format(ITEM.format(formats, "de-CH")))
    yield case("another", FILE.format(ITEM.format(formats, "fr")))
    yield case("of menus", FILE.format(ITEM.format(menus, "de-AT")))
    both = ITEM.format(menus, "en-US") + ITEM.format(formats, "fr")
    yield case("formats before menus", FILE.format(both))
    yield case("not set", FILE.format(""), "malformed")
    yield case("no XML", "locale = en-US", "malformed")
