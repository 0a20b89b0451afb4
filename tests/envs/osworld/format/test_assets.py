"""Where a mirror keeps what an address names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.osworld.format.assets import MANIFEST, Mirrored, asset_path, asset_url, read_manifest

FOLDER = Path("/mirror")


def test_the_file_is_named_for_its_address_and_can_be_read_by_a_person() -> None:
    path = asset_path("https://a.example/x/Lost%20River.jpg?download=true", FOLDER)
    assert path.parent == FOLDER
    assert path.name.endswith("-Lost_River.jpg")
    assert path != asset_path("https://b.example/x/Lost%20River.jpg?download=true", FOLDER)


@given(st.text())
def test_no_address_leads_out_of_the_mirror(rest: str) -> None:
    try:
        path = asset_path(f"https://a.example/{rest}", FOLDER)
    except ValueError:  # what urlsplit itself refuses, as in "//["
        return
    assert path.parent == FOLDER
    assert path.name not in ("", ".", "..")
    assert len(path.name) <= 100
    Mirrored(file=path.name, sha256="0" * 64, bytes=0)


@pytest.mark.parametrize(
    ("url", "path", "expected"),
    [
        ("https://a.example/", "/home/user/Desktop/b.xlsx", "https://a.example/b.xlsx"),
        ("https://a.example", "gold/b.xlsx", "https://a.example/b.xlsx"),
        ("https://a.example/c.xlsx", "/home/user/b.xlsx", "https://a.example/c.xlsx"),
    ],
)
def test_an_address_without_a_file_is_completed_with_its_name(
    url: str, path: str, expected: str
) -> None:
    assert asset_url(url, path) == expected


def test_a_manifest_that_is_none_is_refused_by_its_name(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) == {}
    (tmp_path / MANIFEST).write_text('{"https://a.example/b": {"file": "../b"}}')
    with pytest.raises(ValueError, match=r"assets\.json is not a manifest"):
        read_manifest(tmp_path)
