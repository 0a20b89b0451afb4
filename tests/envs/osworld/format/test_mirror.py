"""The mirror of a host that keeps it to itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from envs.osworld.format.assets import SETTING
from envs.osworld.format.mirror import hide_from_children, mirror_folder


def test_an_open_folder_is_not_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        os.set_inheritable(descriptor, True)
        monkeypatch.setenv(SETTING, f"/proc/self/fd/{descriptor}")
        hide_from_children()
        assert not os.get_inheritable(descriptor)
        assert mirror_folder() == Path(f"/proc/self/fd/{descriptor}")
    finally:
        os.close(descriptor)


def test_no_mirror_and_a_folder_by_its_path_stay_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SETTING, raising=False)
    hide_from_children()
    assert mirror_folder() is None
    monkeypatch.setenv(SETTING, str(tmp_path))
    hide_from_children()
    assert mirror_folder() == tmp_path
