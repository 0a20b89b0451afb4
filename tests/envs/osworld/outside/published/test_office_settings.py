"""LibreOffice's settings, and which files are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.published.error_policy import BadRules
from envs.osworld.outside.published.office_settings import (
    check_auto_saving_time,
    check_auto_saving_time_compat,
    check_presenter_console_disable,
    find_default_font,
)
from tests.envs.osworld.outside.published.made_slides import settings

FONT = "/org.openoffice.Office.Writer/DefaultFont"
SAVING, INTERVAL = "/org.openoffice.Office.Common/Save/Document", "AutoSaveTimeIntervall"
START = "/org.openoffice.Office.Impress/Misc/Start"


def saved(folder: Path, *entries: tuple[str, str, str]) -> Path:
    path = folder / "registrymodifications.xcu"
    path.write_bytes(settings(*entries))
    return path


def test_the_last_standard_font_counts(tmp_path: Path) -> None:
    entries = [(FONT, "Standard", "Arial"), (FONT, "Standard", "Times New Roman")]
    settings_file = saved(tmp_path, *entries, (FONT, "Heading", "Arial"))
    assert find_default_font(settings_file, {"font_name": "Times New Roman"}) == 1
    assert find_default_font(settings_file, {"font_name": "Arial"}) == 0
    with pytest.raises(BadRules, match="font_name"):
        find_default_font(settings_file, {})


def test_the_presenter_console_is_on_unless_set(tmp_path: Path) -> None:
    name = "EnablePresenterScreen"
    assert check_presenter_console_disable(saved(tmp_path, (START, name, "false"))) == 1
    assert check_presenter_console_disable(saved(tmp_path, (START, name, "true"))) == 0
    assert check_presenter_console_disable(saved(tmp_path)) == 0


def test_documents_must_save_themselves(tmp_path: Path) -> None:
    """OSWorld's passes an interval that is not in use."""
    three = {"minutes": 3}
    assert check_auto_saving_time(saved(tmp_path, (SAVING, INTERVAL, "3")), three) == 1
    assert check_auto_saving_time(saved(tmp_path, (SAVING, INTERVAL, "10")), three) == 0
    assert check_auto_saving_time(saved(tmp_path), three) == 0
    off = saved(tmp_path, (SAVING, INTERVAL, "3"), (SAVING, "AutoSave", "false"))
    assert check_auto_saving_time(off, three) == 0
    assert check_auto_saving_time_compat(off, three) == 1
    words = saved(tmp_path, (SAVING, INTERVAL, "three"))
    assert check_auto_saving_time(words, three) == 0
    with pytest.raises(ValueError, match="three"):
        check_auto_saving_time_compat(words, three)


def test_broken_settings_score_nothing(tmp_path: Path) -> None:
    path = tmp_path / "broken.xcu"
    path.write_bytes(b"<items>")
    assert find_default_font(path, {"font_name": "Arial"}) == 0
    assert check_presenter_console_disable(path) == 0
    assert check_auto_saving_time(path, {"minutes": 3}) == 0


def test_entities_of_settings_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("Arial")
    path = tmp_path / "hostile.xcu"
    declared = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'.encode()
    path.write_bytes(declared + settings((FONT, "Standard", "E")).replace(b"E<", b"&e;<"))
    assert find_default_font(path, {"font_name": "Arial"}) == 0
