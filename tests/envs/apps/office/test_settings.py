"""Settings that reach the user's profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.envs.apps.office.real_office import Refused, separate_office

pytestmark = pytest.mark.office


def test_settings_reach_the_profile(tmp_path: Path) -> None:
    settings = tmp_path / "profile/user/registrymodifications.xcu"
    expected = (
        '"TimeIntervall" oor:op="fuse"><value>7<',
        '"AutoSaveTimeIntervall" oor:op="fuse"><value>7<',
        '"EnablePresenterScreen" oor:op="fuse"><value>false<',
    )
    with separate_office(tmp_path) as call:
        call("impress.auto_save", minutes=7)
        call("impress.presenter_console", enabled=False)
        text = settings.read_text()
        with pytest.raises(Refused, match="1 to 60"):
            call("impress.auto_save", minutes=0)
    assert [item for item in expected if item not in text] == []
