"""Pages are kept once, and a damaged file says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.reading.pages import BadPages, Page, read_pages, write_pages

HOME = Page("shop/checkout", "train", "Home", "link Cart #1")


def test_pages_come_back_each_once_in_order(tmp_path: Path) -> None:
    other = Page("shop/price", "train", "Home", "link Orders #1")
    same = Page("shop/price", "train", "Home", "link Cart #1")
    dev = Page("shop/price", "dev", "Home", "link Cart #1")
    path = tmp_path / "cache/pages.jsonl.gz"
    assert write_pages(path, [HOME, other, HOME, dev]) == 3
    assert read_pages(path) == [HOME, other, dev]
    assert same.key == HOME.key != other.key
    assert HOME.text() == "page: Home\nlink Cart #1"
    assert [line.name for line in HOME.lines()] == ["Cart"]


@pytest.mark.parametrize("data", [b"", b"not gzip", None])
def test_a_damaged_file_is_named(tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "pages.jsonl.gz"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(BadPages, match=r"pages\.jsonl\.gz holds no pages"):
        read_pages(path)
