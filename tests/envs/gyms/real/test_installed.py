"""Where applications of others are on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.contract.gym_api import APPLICATIONS
from envs.gyms.real.installed import FILES, find_application


def test_every_gym_of_an_application_is_shown_by_a_browser_that_draws() -> None:
    assert set(FILES) == APPLICATIONS


def test_what_was_not_unpacked_is_not_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DESKHAND_APPLICATIONS", str(tmp_path))
    assert find_application("wordpress") is None
    (tmp_path / "wordpress" / FILES["wordpress"]).mkdir(parents=True)
    assert find_application("wordpress") == tmp_path / "wordpress" / "wordpress"
