"""What no task asks for: which changes of it are seen, and what WordPress writes by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.envs.gyms.apps.wordpress.site_database import read_after


@pytest.mark.parametrize(
    ("statement", "changes"),
    [
        (
            "UPDATE wp_options SET option_value = 'other' WHERE option_name = 'stylesheet'",
            {"option stylesheet": "changed"},
        ),
        (
            "DELETE FROM wp_options WHERE option_name = 'date_format'",
            {"option date_format": "gone"},
        ),
        (
            "INSERT INTO wp_options VALUES ('theme_mods_x', 'a:1:{s:4:\"logo\";i:7;}')",
            {"option theme_mods_x": "new"},
        ),
        ("UPDATE wp_users SET user_pass = 'y'", {"user berg1: password": "changed"}),
        ("UPDATE wp_users SET user_activation_key = 'y'", {"user berg1: reset": "new"}),
        (
            "INSERT INTO wp_usermeta VALUES (7, 'admin_color', 'blue')",
            {"user berg1: admin_color": "new"},
        ),
        (
            "INSERT INTO wp_posts (ID, post_title, post_type) VALUES (9, 'a.txt', 'attachment')",
            {"attachment 9": "new"},
        ),
        (
            "INSERT INTO wp_posts (ID, post_type, post_status)"
            " VALUES (9, 'customize_changeset', 'future')",
            {"customize_changeset 9": "new"},
        ),
        (
            "INSERT INTO wp_term_taxonomy VALUES (9, 2, 'nav_menu', '', 0)",
            {"nav_menu 9": "new"},
        ),
    ],
)
def test_what_was_done_besides_is_named(
    tmp_path: Path, statement: str, changes: dict[str, str]
) -> None:
    assert read_after(tmp_path, statement)["besides"] == changes


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO wp_options VALUES ('cron', 'a:1:{}')",
        "INSERT INTO wp_options VALUES ('rss_use_excerpt', '0')",
        "INSERT INTO wp_options VALUES ('theme_mods_x', 'a:1:{s:18:\"custom_css_post_id\";i:-1;}')",
        "INSERT INTO wp_options VALUES"
        " ('widget_text', 'a:2:{i:1;a:0:{}s:12:\"_multiwidget\";i:1;}')",
        "INSERT INTO wp_users VALUES (8, 'ott2', 'Jo Ott', 'jo@site.example', '', 'y', 'z')",
        "INSERT INTO wp_usermeta VALUES (7, 'metaboxhidden_post', 'a:0:{}')",
        "INSERT INTO wp_posts (ID, post_type, post_status) VALUES (9, 'nav_menu_item', 'draft')",
        "INSERT INTO wp_posts (ID, post_type, post_status) VALUES"
        " (9, 'customize_changeset', 'trash')",
    ],
)
def test_what_wordpress_writes_by_itself_is_no_change(tmp_path: Path, statement: str) -> None:
    assert read_after(tmp_path, statement)["besides"] == {}


def test_bars_that_a_page_of_widgets_puts_together_are_no_change(tmp_path: Path) -> None:
    bars = 's:9:"sidebar-1";a:1:{i:0;s:7:"block-2";}s:9:"sidebar-2";a:1:{i:0;s:7:"block-5";}'
    joined = 's:9:"sidebar-1";a:2:{i:0;s:7:"block-2";i:1;s:7:"block-5";}'
    removed = 's:9:"sidebar-1";a:1:{i:0;s:7:"block-2";}'
    start = f"INSERT INTO wp_options VALUES ('sidebars_widgets', '{bars}')"
    for index, (text, change) in enumerate(
        [(joined, {}), (removed, {"option sidebars_widgets": "changed"})]
    ):
        folder = tmp_path / str(index)
        folder.mkdir()
        statement = (
            f"UPDATE wp_options SET option_value = '{text}' WHERE option_name = 'sidebars_widgets'"
        )
        assert read_after(folder, statement, start=start)["besides"] == change
