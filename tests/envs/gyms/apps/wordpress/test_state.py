"""The site's canonical state, read from a database of WordPress's tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.gyms.apps.wordpress.content import NOW_TEXT
from tests.envs.gyms.apps.wordpress.site_database import read_after


def test_posts_comments_and_users_are_read_by_their_names(tmp_path: Path) -> None:
    state = read_after(
        tmp_path,
        "INSERT INTO wp_posts (ID, post_title, post_status) VALUES (4, 'Fair', 'draft')",
        "INSERT INTO wp_posts (ID, post_title, post_status) VALUES (5, '', 'auto-draft')",
        "INSERT INTO wp_options VALUES ('sticky_posts', 'a:2:{i:0;i:3;i:1;i:44;}')",
        "INSERT INTO wp_comments (comment_author, comment_author_email, comment_content,"
        " comment_approved, comment_post_ID, comment_parent, comment_ID) VALUES"
        " ('Jo', 'jo@firm.example', 'Great', '0', 3, 0, 1), ('Ana', '', 'Thanks', '1', 3, 1, 2)",
    )
    assert list(state["posts"]) == ["Jobs", "Fair", "Fair (2)"]
    post = state["posts"]["Fair"]
    assert (post["author"], post["categories"], post["tags"]) == ("Ana Berg", ["News"], ["fair"])
    assert [each["sticky"] for each in state["posts"].values()] == [False, True, False]
    assert state["comments"]["Ana on Fair"]["to"] == "Jo on Fair"
    assert (state["users"]["berg1"]["role"], state["users"]["berg1"]["first"]) == ("editor", "Ana")
    assert state["categories"] == {
        "News": {"slug": "news", "description": "All of it", "parent": ""}
    }
    assert list(state["tags"]) == ["fair"]
    assert state["besides"] == {}


def test_the_places_in_a_list_of_sticky_posts_are_no_posts(tmp_path: Path) -> None:
    listed = "a:4:{i:0;i:9;i:1;i:8;i:2;i:7;i:3;i:6;}"
    state = read_after(tmp_path, f"INSERT INTO wp_options VALUES ('sticky_posts', '{listed}')")
    assert not any(post["sticky"] for post in state["posts"].values())


def test_a_box_that_is_not_ticked_is_the_same_saved_or_not(tmp_path: Path) -> None:
    saved = "INSERT INTO wp_options VALUES ('comment_registration', '')"
    assert read_after(tmp_path, saved)["settings"]["comment_registration"] == "0"


def test_a_quick_draft_says_what_was_typed(tmp_path: Path) -> None:
    text = "<!-- wp:paragraph -->We came.<!-- /wp:paragraph -->"
    state = read_after(tmp_path, f"UPDATE wp_posts SET post_content = '{text}' WHERE ID = 3")
    assert state["posts"]["Fair"]["text"] == "We came."


@pytest.mark.parametrize(
    ("change", "date"),
    [
        ("post_status = 'draft'", ""),
        (f"post_status = 'publish', post_date = '{NOW_TEXT}', post_date_gmt = '{NOW_TEXT}'", ""),
        ("post_status = 'publish', post_date_gmt = post_date", ""),
        (
            "post_status = 'publish', post_date = '2025-05-04 08:00:00', post_date_gmt = post_date",
            "2025-05-04 08:00:00",
        ),
    ],
)
def test_a_draft_that_is_published_gets_the_present_day_or_keeps_its_own(
    tmp_path: Path, change: str, date: str
) -> None:
    state = read_after(
        tmp_path,
        f"UPDATE wp_posts SET {change} WHERE ID = 3",
        # In an update, SQLite reads what was there before.
        "UPDATE wp_posts SET post_date_gmt = post_date WHERE post_status = 'publish'",
    )
    assert state["posts"]["Fair"]["date"] == date


def test_a_new_draft_has_no_day_of_its_own_once_it_was_edited_in_the_list(tmp_path: Path) -> None:
    new = "INSERT INTO wp_posts (ID, post_title, post_status, post_date) VALUES"
    state = read_after(tmp_path, f"{new} (8, 'New', 'draft', '{NOW_TEXT}')")
    assert state["posts"]["New"]["date"] == ""


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ("UPDATE wp_posts SET post_name = 'work' WHERE ID = 2", "slug", "work"),
        ("UPDATE wp_posts SET post_name = 'jobs__trashed' WHERE ID = 2", "slug", "jobs"),
        ("UPDATE wp_posts SET post_date = '2024-01-01' WHERE ID = 2", "date", "2024-01-01"),
        ("UPDATE wp_posts SET ping_status = 'closed' WHERE ID = 2", "pings", "closed"),
        ("UPDATE wp_posts SET to_ping = 'http://a' WHERE ID = 2", "trackbacks", "http://a"),
        ("INSERT INTO wp_postmeta VALUES (2, 'mood', 'good')", "fields", {"mood": "good"}),
        ("INSERT INTO wp_postmeta VALUES (2, '_edit_last', '7')", "fields", {}),
    ],
)
def test_what_else_can_be_set_of_a_post_is_read(
    tmp_path: Path, change: str, field: str, value: object
) -> None:
    assert read_after(tmp_path, change)["posts"]["Jobs"][field] == value


@pytest.mark.parametrize(
    ("login", "shown", "name"),
    [
        ("ott2", "ott2", "Jo Ott"),
        ("ott2", "Jo Ott", "Jo Ott"),
        ("ott2", "Ott Jo", "Ott Jo"),
        ("berg1", "berg1", "berg1"),
    ],
)
def test_names_of_a_new_user_may_be_entered_once_there_is_one(
    tmp_path: Path, login: str, shown: str, name: str
) -> None:
    state = read_after(
        tmp_path,
        "INSERT INTO wp_users VALUES (8, 'ott2', 'ott2', 'jo@site.example', '', 'y', '')",
        "INSERT INTO wp_usermeta VALUES (8, 'first_name', 'Jo'), (8, 'last_name', 'Ott')",
        f"UPDATE wp_users SET display_name = '{shown}' WHERE user_login = '{login}'",
    )
    assert state["users"][login]["name"] == name
