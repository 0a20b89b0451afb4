"""A database with WordPress's tables and little in them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from envs.gyms.apps.wordpress.baseline import DATABASE, write_baseline
from envs.gyms.apps.wordpress.state import read_state

SCHEMA = """
CREATE TABLE wp_options (option_name, option_value);
CREATE TABLE wp_posts (ID, post_title DEFAULT '', post_content DEFAULT '',
    post_excerpt DEFAULT '',
    post_status DEFAULT 'publish', post_type DEFAULT 'post', post_password DEFAULT '',
    post_parent DEFAULT 0, comment_status DEFAULT 'open', ping_status DEFAULT 'open',
    to_ping DEFAULT '', menu_order DEFAULT 0, post_name DEFAULT '',
    post_date DEFAULT '2025-05-01 08:00:00',
    post_date_gmt DEFAULT '2025-05-01 08:00:00', post_author DEFAULT 7);
CREATE TABLE wp_postmeta (post_id, meta_key, meta_value);
CREATE TABLE wp_terms (term_id, name, slug);
CREATE TABLE wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent);
CREATE TABLE wp_term_relationships (object_id, term_taxonomy_id);
CREATE TABLE wp_comments (comment_author, comment_author_email, comment_author_url DEFAULT '',
    comment_content, comment_approved, comment_date DEFAULT '2025-05-02 08:00:00',
    comment_post_ID, comment_parent, comment_ID);
CREATE TABLE wp_users (ID, user_login, display_name, user_email, user_url, user_pass DEFAULT 'x',
    user_activation_key DEFAULT '');
CREATE TABLE wp_usermeta (user_id, meta_key, meta_value);
INSERT INTO wp_users VALUES (7, 'berg1', 'Ana Berg', 'ana@site.example', '', 'x', '');
INSERT INTO wp_usermeta VALUES (7, 'wp_capabilities', 'a:1:{s:6:"editor";b:1;}'),
    (7, 'first_name', 'Ana');
INSERT INTO wp_terms VALUES (1, 'News', 'news'), (2, 'fair', 'fair');
INSERT INTO wp_term_taxonomy VALUES (1, 1, 'category', 'All of it', 0), (2, 2, 'post_tag', '', 0);
INSERT INTO wp_term_relationships VALUES (3, 1), (3, 2);
INSERT INTO wp_options VALUES ('stylesheet', 'twentytwentyone'), ('date_format', 'F j, Y');
INSERT INTO wp_posts (ID, post_title, post_status, post_name) VALUES
    (2, 'Jobs', 'publish', 'jobs');
INSERT INTO wp_posts (ID, post_title, post_status, post_date, post_date_gmt) VALUES
    (3, 'Fair', 'draft', '2025-05-03 08:00:00', '0000-00-00 00:00:00');
"""


def read_after(folder: Path, *statements: str, start: str = "") -> dict[str, Any]:
    """The state after these statements, on a site that begins with SCHEMA and `start`."""
    with sqlite3.connect(folder / DATABASE) as database:
        database.executescript(SCHEMA + start)
        write_baseline(folder)
        for statement in statements:
            database.execute(statement)
    database.close()
    return read_state(folder)
