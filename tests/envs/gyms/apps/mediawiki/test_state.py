"""The wiki's canonical state."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from envs.gyms.apps.mediawiki.state import DATABASE, fold_text, read_state

SIGNED = (
    "== Visits ==  \n\nWho comes? [[User:Ana Berg|Ana Berg]] "
    "([[User talk:Ana Berg|talk]]) 09:01, 12 May 2026 (UTC)\n"
)
SCHEMA = """
CREATE TABLE page (page_id, page_namespace, page_title, page_latest);
CREATE TABLE slots (slot_revision_id, slot_content_id);
CREATE TABLE content (content_id, content_address);
CREATE TABLE text (old_id, old_text);
CREATE TABLE watchlist (wl_user, wl_namespace, wl_title);
CREATE TABLE user (user_id, user_name);
CREATE TABLE user_groups (ug_user, ug_group);
CREATE TABLE user_properties (up_user, up_property, up_value);
CREATE TABLE page_restrictions (pr_page, pr_type, pr_level, pr_expiry, pr_cascade);
CREATE TABLE protected_titles (pt_namespace, pt_title, pt_create_perm, pt_expiry);
CREATE TABLE ipblocks (ipb_address, ipb_expiry);
INSERT INTO page VALUES (3, 0, 'Quartz_Press', 7);
INSERT INTO slots VALUES (7, 8);
INSERT INTO content VALUES (8, 'tt:9');
INSERT INTO text VALUES (9, 'A client.');
INSERT INTO user VALUES (1, 'Ana Berg'), (2, 'Jo Ott');
INSERT INTO user_groups VALUES (1, 'sysop'), (1, 'bureaucrat');
INSERT INTO page_restrictions VALUES (3, 'edit', 'sysop', 'infinity', 0),
    (3, 'move', 'sysop', '20260513090000', 0);
"""


def test_blank_lines_ends_of_lines_and_the_day_of_a_signature_say_nothing() -> None:
    assert fold_text(SIGNED, "Ana Berg") == "== Visits ==\nWho comes? ~~~~"
    assert fold_text("Who comes?\n\n~~~~") == "Who comes? ~~~~"
    assert fold_text("a b") != fold_text("ab")


def test_a_signature_of_somebody_else_or_of_three_tildes_is_no_signature() -> None:
    assert "~~~~" not in fold_text(SIGNED, "Jo Ott")
    assert "~~~~" not in fold_text(SIGNED.replace(" 09:01, 12 May 2026 (UTC)", ""), "Ana Berg")


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("#redirect[[quartz_Press]]", "#REDIRECT [[Quartz Press]]"),
        ("\n#REDIRECT [[Quartz Press]]", "#REDIRECT [[Quartz Press]]"),
        ("*[[Ana Berg]]\n*   [[Jo Ott]]", "* [[Ana Berg]]\n* [[Jo Ott]]"),
        ("[[category:clients]]", "[[Category:Clients]]"),
        ("[[:category:Clients]]", "[[:category:Clients]]"),
        ("#REDIRECT [[Quartz Press#Team]]", "# REDIRECT [[Quartz Press#Team]]"),
        ("[[ana Berg]]", "[[ana Berg]]"),
    ],
)
def test_other_ways_to_write_the_same_are_the_same(text: str, folded: str) -> None:
    assert fold_text(text) == folded == fold_text(folded)


def test_ends_of_protections_blocks_and_rights_are_read(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.executescript(SCHEMA)
        before = read_state(tmp_path, "Ana Berg")
        database.execute("INSERT INTO ipblocks VALUES ('Jo Ott', 'infinity')")
        database.execute("UPDATE page_restrictions SET pr_cascade = 1 WHERE pr_type = 'edit'")
        database.execute("INSERT INTO protected_titles VALUES (0, 'New', 'sysop', 'infinity')")
        database.commit()
        after = read_state(tmp_path, "Ana Berg")
    database.close()
    assert before["protected"]["Quartz Press"] == {
        "edit": "sysop",
        "move": "sysop until 20260513090000",
    }
    assert before["accounts"] == {"Ana Berg": "bureaucrat+sysop", "Jo Ott": ""}
    assert (before["blocked"], after["blocked"]) == ({}, {"Jo Ott": "infinity"})
    assert after["protected"]["New"] == {"create": "sysop"}
    assert after["protected"]["Quartz Press"]["edit"] == "sysop, with all that it shows"
