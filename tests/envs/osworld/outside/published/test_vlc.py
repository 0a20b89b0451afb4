"""What VLC says that it plays, and what vlcrc sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.metric_modules import load_compat_metric, load_metric
from envs.osworld.outside.published import vlc

STREAM = "https://video.example.org/adv/master.m3u8"
FILE, URL = {"type": "file_name", "file_name": "a b.mp4"}, {"type": "url", "url": STREAM}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file"


def _status(path: Path, state: str = "playing", **infos: str) -> Path:
    info_tags = "".join(f"<info name='{name}'>{text}</info>" for name, text in infos.items())
    path.write_text(
        f"<root><state>{state}</state><information>"
        f"<category name='meta'>{info_tags}</category></information></root>"
    )
    return path


@pytest.mark.parametrize(
    ("infos", "score", "upstream"),
    [
        ({"filename": "a b.mp4"}, 1, 1),
        ({"uri": "file:///home/user/a%20b.mp4"}, 1, 0),
        ({"title": "Film", "filename": "a b.mp4"}, 1, 1),
        ({"filename": "not a b.mp4"}, 0, 1),
        ({"filename": "b.mp4"}, 0, 0),
        ({}, 0, 0),
    ],
)
def test_a_file_plays_by_its_whole_name(
    file: Path, infos: dict[str, str], score: float, upstream: float
) -> None:
    assert vlc.is_vlc_playing(_status(file, **infos), FILE) == score
    assert vlc.is_vlc_playing_compat(file, FILE) == upstream
    assert vlc.is_vlc_playing(_status(file, "paused", **infos), FILE) == 0


@pytest.mark.parametrize(
    ("infos", "score", "upstream"),
    [
        ({"url": STREAM}, 1, 1),
        ({"filename": "master.m3u8"}, 1, 1),
        ({"title": "Advert", "filename": "master.m3u8"}, 1, 0),
        ({"url": "https://other.example.org/adv/master.m3u8"}, 0, 0),
        ({"url": "https://video.example.org/x/adv/master.m3u8"}, 0, 1),
        ({"filename": "other.m3u8"}, 0, 0),
    ],
)
def test_a_stream_plays_by_its_address(
    file: Path, infos: dict[str, str], score: float, upstream: float
) -> None:
    assert vlc.is_vlc_playing(_status(file, **infos), URL) == score
    assert vlc.is_vlc_playing_compat(file, URL) == upstream


def test_a_broken_status_plays_nothing(file: Path) -> None:
    for text in ("", "<root>", "<root/>"):
        file.write_text(text)
        assert vlc.is_vlc_playing(file, FILE) == 0
    with pytest.raises(AttributeError):
        vlc.is_vlc_playing_compat(file, FILE)


def test_entities_of_a_status_mean_nothing(file: Path) -> None:
    file.write_text(
        "<!DOCTYPE root [<!ENTITY e 'playing'>]><root><state>&e;</state><information>"
        "<category name='meta'><info name='filename'>a b.mp4</info></category>"
        "</information></root>"
    )
    assert vlc.is_vlc_playing(file, FILE) == 0


def test_an_unknown_rule_is_an_error(file: Path) -> None:
    with pytest.raises(ValueError, match="'title'"):
        vlc.is_vlc_playing(_status(file), {"type": "title"})
    with pytest.raises(ValueError, match="'red'"):
        vlc.check_qt_slider_colours(file, {"type": "red"})


def test_a_full_screen_is_as_large_as_the_screen() -> None:
    size = {"width": 1920, "height": 1080}
    assert vlc.is_vlc_fullscreen(size, dict(size)) == 1
    assert vlc.is_vlc_fullscreen(size, {**size, "height": 1053}) == 0
    assert vlc.is_vlc_fullscreen(size, None) == 0


@pytest.mark.parametrize(
    ("setting", "default", "value"),
    [("qt_bgcone", 1, 0), ("qt_max_volume", 125, 200), ("qt_minimal_view", 0, 1),
     ("one_instance_when_started_from_file", 1, 0), ("play_and_exit", 0, 1)],
)  # fmt: skip
def test_a_setting_has_its_value(file: Path, setting: str, default: int, value: int) -> None:
    key, metric = setting.replace("_", "-"), load_metric(f"check_{setting}")
    compat = load_compat_metric(f"check_{setting}")
    assert compat is not None
    expected, untouched = {f"expected_{setting}": value}, {f"expected_{setting}": default}
    file.write_text(f"[qt]\n# Text (integer)\n{key}={value}\n")
    assert (metric(file, expected), metric(file, untouched)) == (1, 0)
    file.write_text(f"[qt]\n#{key}={value}\n")
    assert (metric(file, expected), metric(file, untouched)) == (0, 1)
    assert compat(file, expected) == 1
    file.write_bytes(b"\xff\x00")
    assert (metric(file, expected), metric(file, untouched)) == (0, 1)


def test_a_global_key_is_set_or_not(file: Path) -> None:
    rule = {"expected_global_key_play_pause": 1}
    for text, score, upstream in (
        ("global-key-play-pause=Ctrl+P", 1, 1),
        ("#global-key-play-pause=", 0, 0),
        ("#global-key-play-pause=Ctrl+P", 0, 1),
        ("key-play-pause=Space", 0, 0),
    ):
        file.write_text(f"{text}\n")
        assert vlc.check_global_key_play_pause(file, rule) == score
        assert vlc.check_global_key_play_pause_compat(file, rule) == upstream


def test_recordings_go_where_the_last_line_says(file: Path) -> None:
    rule = {"recording_file_path": "/home"}
    for text, score, upstream in (
        ("input-record-path=/home", 1, 1),
        ("#input-record-path=/home", 0, 0),
        ("input-record-path=/tmp\ninput-record-path=/home", 1, 0),
    ):
        file.write_text(f"{text}\n")
        assert vlc.is_vlc_recordings_folder(file, rule) == score
        assert vlc.is_vlc_recordings_folder_compat(file, rule) == upstream


@pytest.mark.parametrize(
    ("colours", "score", "upstream"),
    [
        (";".join(["99"] * 12), 1, 1),
        (";".join(["99"] * 11 + ["100"]), 0, 0),
        ("20;20", 0, 1),
        ("black", 0, 0),
        ("", 0, 0),
    ],
)
def test_a_blackish_slider_is_dark_in_all_colours(
    file: Path, colours: str, score: float, upstream: float
) -> None:
    file.write_text(f"qt-slider-colours={colours}\n")
    assert vlc.check_qt_slider_colours(file, {"type": "blackish"}) == score
    assert vlc.check_qt_slider_colours_compat(file, {"type": "blackish"}) == upstream
    same = {"type": "match", "expected_qt_slider_colours": colours}
    assert vlc.check_qt_slider_colours(file, same) == 1
