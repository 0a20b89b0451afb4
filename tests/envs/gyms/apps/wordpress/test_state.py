"""The site's canonical state, read from a database of WordPress's tables."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from envs.gyms.apps.wordpress.state import DATABASE, read_state

SCHEMA = """
CREATE TABLE wp_options (option_name, option_value);
CREATE TABLE wp_posts (ID, post_title, post_content, post_excerpt, post_status, post_type,
    post_password, post_parent, comment_status, menu_order, post_author);
CREATE TABLE wp_terms (term_id, name);
CREATE TABLE wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent);
CREATE TABLE wp_term_relationships (object_id, term_taxonomy_id);
CREATE TABLE wp_comments (comment_author, comment_author_email, comment_content, comment_approved,
    comment_post_ID, comment_parent, comment_ID);
CREATE TABLE wp_users (ID, user_login, display_name, user_email, user_url);
CREATE TABLE wp_usermeta (user_id, meta_key, meta_value);
INSERT INTO wp_users VALUES (7, 'berg1', 'Ana Berg', 'ana@site.example', '');
INSERT INTO wp_usermeta VALUES (7, 'wp_capabilities', 'a:1:{s:6:"editor";b:1;}');
INSERT INTO wp_terms VALUES (1, 'News'), (2, 'fair');
INSERT INTO wp_term_taxonomy VALUES (1, 1, 'category', 'All of it', 0), (2, 2, 'post_tag', '', 0);
INSERT INTO wp_term_relationships VALUES (3, 1), (3, 2);
"""


def _state(folder: Path, *statements: str) -> dict[str, Any]:
    with sqlite3.connect(folder / DATABASE) as database:
        database.executescript(SCHEMA)
        for statement in statements:
            database.execute(statement)
    database.close()
    return read_state(folder)


def test_posts_comments_and_users_are_read_by_their_names(tmp_path: Path) -> None:
    state = _state(
        tmp_path,
        "INSERT INTO wp_posts VALUES (3,'Fair','We came. ','','publish','post','',0,'open',0,7)",
        "INSERT INTO wp_posts VALUES (4,'Fair','','','draft','post','',0,'open',0,7)",
        "INSERT INTO wp_posts VALUES (5,'','','','auto-draft','post','',0,'open',0,7)",
        "INSERT INTO wp_options VALUES ('sticky_posts', 'a:2:{i:0;i:3;i:1;i:44;}')",
        "INSERT INTO wp_comments VALUES ('Jo', 'jo@firm.example', 'Well done', '0', 3, 0, 1)",
        "INSERT INTO wp_comments VALUES ('Ana Berg', '', 'Thanks', '1', 3, 1, 2)",
    )
    assert list(state["posts"]) == ["Fair", "Fair (2)"]
    post = state["posts"]["Fair"]
    assert (post["author"], post["categories"], post["tags"]) == ("Ana Berg", ["News"], ["fair"])
    assert (post["sticky"], state["posts"]["Fair (2)"]["sticky"]) == (True, False)
    assert state["comments"]["Ana Berg on Fair"]["to"] == "Jo on Fair"
    assert state["users"]["berg1"]["role"] == "editor"
    assert state["categories"] == {"News": {"description": "All of it", "parent": ""}}


def test_a_box_that_is_not_ticked_is_the_same_saved_or_not(tmp_path: Path) -> None:
    saved = "INSERT INTO wp_options VALUES ('comment_registration', '')"
    assert _state(tmp_path, saved)["settings"]["comment_registration"] == "0"
