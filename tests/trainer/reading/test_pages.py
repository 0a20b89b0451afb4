"""Pages are kept once, and a damaged file says what to do."""

from __future__ import annotations

import gzip
from dataclasses import asdict
from pathlib import Path

import orjson
import pytest

from trainer.reading.config import PagesConfig
from trainer.reading.pages import BadPages, Page, read_pages, write_pages

CONFIG = PagesConfig(tasks=("shop",), unseen=("desk",))
HOME = Page("shop/checkout", "train", "Home", "link Cart #1")


def test_pages_come_back_each_once_in_order(tmp_path: Path) -> None:
    other = Page("shop/price", "train", "Home", "link Orders #1")
    same = Page("shop/price", "train", "Home", "link Cart #1")
    dev = Page("shop/price", "dev", "Home", "link Cart #1")
    path = tmp_path / "cache/pages.jsonl.gz"
    assert write_pages(path, [HOME, other, HOME, dev], CONFIG, 3) == 3
    assert read_pages(path, CONFIG, 3) == [HOME, other, dev]
    assert same.key == HOME.key != other.key
    assert HOME.text() == "page: Home\nlink Cart #1"
    assert [line.name for line in HOME.lines()] == ["Cart"]


@pytest.mark.parametrize("data", [b"", b"not gzip", None])
def test_a_damaged_file_is_named(tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "pages.jsonl.gz"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(BadPages, match=r"pages\.jsonl\.gz holds no pages"):
        read_pages(path, CONFIG, 3)


@pytest.mark.parametrize(
    ("changes", "seed", "message"),
    [
        ({"unseen": ("mail",)}, 3, "pages.unseen (('desk',) then, ('mail',) now)"),
        ({"tasks": ("shop", "mail")}, 3, "pages.tasks (('shop',) then, ('shop', 'mail') now)"),
        ({"tree_chars": 800}, 3, "pages.tree_chars (1600 then, 800 now)"),
        ({}, 4, "seed (3 then, 4 now)"),
    ],
)
def test_pages_of_other_settings_are_refused(
    tmp_path: Path, changes: dict[str, object], seed: int, message: str
) -> None:
    path = tmp_path / "pages.jsonl.gz"
    write_pages(path, [HOME], CONFIG, 3)
    with pytest.raises(BadPages) as refused:
        read_pages(path, CONFIG.model_copy(update=changes), seed)
    assert f"{path} was collected with other settings: {message}; " in str(refused.value)


def test_pages_are_independent_of_where_they_lie_and_how_many_sessions_there_were(
    tmp_path: Path,
) -> None:
    path = tmp_path / "pages.jsonl.gz"
    write_pages(path, [HOME], CONFIG, 3)
    moved = CONFIG.model_copy(update={"file": tmp_path / "else.gz", "sessions": 2})
    assert read_pages(path, moved, 3) == [HOME]


def write_rows(path: Path, *rows: dict[str, object]) -> None:
    path.write_bytes(gzip.compress(b"".join(orjson.dumps(row) + b"\n" for row in rows)))


def test_a_file_that_does_not_say_how_it_was_collected_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl.gz"
    write_rows(path, asdict(HOME), asdict(HOME))
    with pytest.raises(BadPages, match=r"does not say with which settings .* delete it"):
        read_pages(path, CONFIG, 3)


def test_keys_that_came_later_count_as_defaults_and_those_that_went_are_named(
    tmp_path: Path,
) -> None:
    path = tmp_path / "pages.jsonl.gz"
    known: dict[str, object] = {"tasks": ["shop"], "unseen": ["desk"]}
    write_rows(path, {"pages": known, "seed": 3}, asdict(HOME))
    assert read_pages(path, CONFIG, 3) == [HOME]
    write_rows(path, {"pages": known | {"clicks": 2}, "seed": 3}, asdict(HOME))
    with pytest.raises(BadPages, match="was collected by another version"):
        read_pages(path, CONFIG, 3)
