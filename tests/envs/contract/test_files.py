"""Names of files that come from pages, programs and callers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.contract.files import MAX_NAME_BYTES, FileRef, clean_name, make_unique


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\x\\a.txt", "a.txt"),
        (".bashrc", "bashrc"),
        ("..", "file"),
        ("", "file"),
        ("a\x00b\nc.txt", "abc.txt"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("what? <b>.csv", "what_ _b_.csv"),
        ("cafe\u0301.txt", "caf\u00e9.txt"),
    ],
)
def test_a_name_is_of_one_harmless_part(text: str, name: str) -> None:
    assert clean_name(text) == name


@given(st.text(max_size=400))
def test_every_clean_name_is_accepted_as_it_is(text: str) -> None:
    name = clean_name(text)
    assert 0 < len(name.encode()) <= MAX_NAME_BYTES
    assert not name.startswith(".")
    assert "/" not in name
    assert clean_name(name) == name
    FileRef(name=name, size=0, sha256="0" * 64)


def test_a_long_name_keeps_its_extension() -> None:
    assert clean_name("x" * 500 + ".pdf").endswith("xx.pdf")


def test_equal_names_get_numbers() -> None:
    assert make_unique("a.txt", ["b.txt"]) == "a.txt"
    assert make_unique("a.txt", ["a.txt", "a (2).txt"]) == "a (3).txt"


@pytest.mark.parametrize("name", ["../a", ".a", "a/b", ""])
def test_a_reference_takes_no_other_name(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        FileRef(name=name, size=0, sha256="0" * 64)
