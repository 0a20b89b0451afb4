"""What commands print and folders list: right, wrong and nonsense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.osworld.outside.published.basic_os import (
    check_gnome_favorite_apps,
    check_gnome_favorite_apps_compat,
    check_moved_jpgs,
    check_text_enlarged,
    check_text_enlarged_compat,
    is_in_vm_clickboard,
    is_utc_0,
    is_utc_0_compat,
)

TWO = {"expected": ["chrome.desktop", "mail.desktop"]}


def test_favorites_are_a_set() -> None:
    assert check_gnome_favorite_apps("['mail.desktop', 'chrome.desktop']\n", TWO) == 1
    assert check_gnome_favorite_apps("['mail.desktop']", TWO) == 0
    assert check_gnome_favorite_apps("['a', 'a', 'b']", {"expected": ["a", "b", "b"]}) == 0
    assert check_gnome_favorite_apps_compat("['a', 'a', 'b']", {"expected": ["a", "b", "b"]}) == 1


def test_no_favorites_are_printed_with_their_type() -> None:
    assert check_gnome_favorite_apps("@as []\n", {"expected": []}) == 1
    with pytest.raises(SyntaxError):
        check_gnome_favorite_apps_compat("@as []\n", {"expected": []})


@given(st.text())
def test_favorites_that_are_no_list_score_nothing(printed: str) -> None:
    assert check_gnome_favorite_apps(printed, TWO) == 0


def test_printed_code_is_never_run() -> None:
    printed = "__import__('os').environ.update(RAN='1') or ['chrome.desktop', 'mail.desktop']"
    assert check_gnome_favorite_apps(printed, TWO) == 0
    with pytest.raises(ValueError, match="malformed"):
        check_gnome_favorite_apps_compat(printed, TWO)


@pytest.mark.parametrize(
    ("zone", "score"),
    [
        ("Etc/UTC (UTC, +0000)", 1),
        ("Atlantic/Faroe (WET, +0000)", 1),
        ("Asia/Tokyo (JST, +0900)", 0),
    ],
)
def test_the_zone_is_read_wherever_its_line_is(zone: str, score: float) -> None:
    assert is_utc_0(f"  Local time: now\n   Time zone: {zone}\n") == score


def test_without_a_zone_the_clock_scores_nothing() -> None:
    assert is_utc_0("") == 0
    with pytest.raises(IndexError):
        is_utc_0_compat("")
    assert is_utc_0_compat("1\n2\n3\n(any line, +0000)") == 1


def test_text_is_enlarged_above_one() -> None:
    assert [check_text_enlarged(scale) for scale in ("1.25\n", "1.0", "0.9", "big", "")] == [
        1,
        0,
        0,
        0,
        0,
    ]
    with pytest.raises(ValueError, match="big"):
        check_text_enlarged_compat("big")


def test_the_folder_holds_just_these_names() -> None:
    tree = {"children": [{"name": "b.jpg"}, {"name": "a.jpg"}]}
    assert check_moved_jpgs(tree, {"expected": ["a.jpg", "b.jpg"]}) == 1
    assert check_moved_jpgs(tree, {"expected": ["a.jpg"]}) == 0


def test_the_clipboard_holds_all_texts() -> None:
    assert is_in_vm_clickboard({"expected": "/a/b"}, "/a/b\n") == 1
    assert is_in_vm_clickboard({"expected": ["a", "b"]}, "only a") == 0
