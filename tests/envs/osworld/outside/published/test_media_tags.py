"""The metric of tags of sound files."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.published.media_tags import check_mp3_meta
from tests.envs.osworld.outside.published.made_files import (
    mp3,
)

TITLE = {"title": {"method": "eq", "ref": "Missing You"}}


def test_tags_follow_their_rules(tmp_path: Path) -> None:
    song = mp3(tmp_path / "song.mp3", title="Missing You", artist="Cheng Xiang")
    assert check_mp3_meta(song, TITLE) == 1
    assert check_mp3_meta(song, {"artist": {"method": "re.I", "ref": "^cheng"}}) == 1
    assert check_mp3_meta(song, {**TITLE, "album": {"method": "eq", "ref": "One"}}) == 0
    with pytest.raises(ValueError, match="nearly"):
        check_mp3_meta(song, {"title": {"method": "nearly", "ref": ""}})


def test_a_file_without_tags_has_empty_ones(tmp_path: Path) -> None:
    """OSWorld's fails."""
    assert check_mp3_meta(mp3(tmp_path / "bare.mp3"), TITLE) == 0
