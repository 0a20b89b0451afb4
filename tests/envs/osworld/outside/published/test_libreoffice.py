"""The metric of LibreOffice's locale."""

from __future__ import annotations

from pathlib import Path

from envs.osworld.outside.published.libreoffice import check_libre_locale


def file(folder: Path, content: str | bytes, name: str = "a") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_the_locale(tmp_path: Path) -> None:
    item = (
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/x/L10N">'
        '<prop oor:name="ooSetupSystemLocale"><value>de-CH</value></prop></item></oor:items>'
    )
    assert check_libre_locale(file(tmp_path, item), {"locale_set": ["de-*"]}) == 1
    assert check_libre_locale(file(tmp_path, item), {"locale_set": ["en-US"]}) == 0
    assert check_libre_locale(file(tmp_path, "<a/>"), {"locale_set": ["*"]}) == 0
    assert check_libre_locale(file(tmp_path, "locale"), {"locale_set": ["*"]}) == 0
