"""A collection that is stopped keeps its walks."""

from __future__ import annotations

from pathlib import Path

from trainer.reading.config import PagesConfig
from trainer.reading.pages import Page
from trainer.reading.walk_log import WalkLog

CONFIG = PagesConfig(tasks=("shop",), unseen=("desk",))
HOME = Page("shop/checkout", "train", "Home", "link Cart #1\nlink Orders #2")


def test_walks_come_back_by_their_places_and_more_are_added(tmp_path: Path) -> None:
    log = WalkLog(tmp_path / "cache/pages.gz", CONFIG, 3)
    assert log.open() == {}
    log.add(4, [HOME, HOME])
    log.add(2, [])
    again = WalkLog(tmp_path / "cache/pages.gz", CONFIG, 3)
    assert again.open() == {4: [HOME, HOME], 2: []}
    again.add(0, [HOME])
    assert again.open() == {4: [HOME, HOME], 2: [], 0: [HOME]}
    again.remove()
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_line_that_was_cut_off_is_dropped(tmp_path: Path) -> None:
    log = WalkLog(tmp_path / "pages.gz", CONFIG, 3)
    log.open()
    log.add(4, [HOME])
    log.add(2, [HOME])
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-20])
    assert log.open() == {4: [HOME]}
    log.add(1, [HOME])
    assert log.open() == {4: [HOME], 1: [HOME]}


def test_a_log_of_other_settings_is_begun_anew(tmp_path: Path) -> None:
    log = WalkLog(tmp_path / "pages.gz", CONFIG, 3)
    log.open()
    log.add(4, [HOME])
    other = CONFIG.model_copy(update={"unseen": ("mail",)})
    assert WalkLog(tmp_path / "pages.gz", other, 3).open() == {}
    assert log.open() == {}
