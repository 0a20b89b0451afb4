"""The tracker's canonical state, read from a database of Trac's tables and its settings."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from envs.gyms.apps.trac.state import DATABASE, SETTINGS, read_state

SCHEMA = """
CREATE TABLE ticket (id, summary, description, type, component, priority, owner, reporter, cc,
    version, milestone, status, resolution, keywords);
CREATE TABLE ticket_change (ticket, time, author, field, oldvalue, newvalue);
CREATE TABLE milestone (name, due, completed, description);
CREATE TABLE component (name, owner, description);
CREATE TABLE version (name, time, description);
CREATE TABLE enum (type, name, value);
CREATE TABLE wiki (name, version, text, readonly);
CREATE TABLE attachment (type, id, filename, size, description);
CREATE TABLE report (id, title, query, description);
CREATE TABLE permission (username, action);
INSERT INTO ticket VALUES (7, 'Logo', 'Old. ', 'task', 'Mail', 'major', 'berg1', 'ott2', NULL,
    '1.0', NULL, 'new', NULL, 'logo');
INSERT INTO ticket_change VALUES (7, 5, 'ott2', 'comment', '1', 'Soon'),
    (7, 6, 'ott2', 'comment', '2', ''),
    (7, 6, 'ott2', 'owner', 'ott2', 'berg1');
INSERT INTO milestone VALUES ('Spring', 1748736000000000, 0, NULL), ('Autumn', 0, 5, 'Over');
INSERT INTO component VALUES ('Mail', 'berg1', NULL);
INSERT INTO enum VALUES ('priority', 'minor', '10'), ('priority', 'major', '9');
INSERT INTO wiki VALUES ('Fair', 1, 'Once', 0), ('Fair', 2, 'Twice', 0);
INSERT INTO report VALUES (1, 'Mine', 'SELECT 1', NULL);
INSERT INTO permission VALUES ('berg1', 'WIKI_MODIFY'), ('berg1', 'TICKET_CREATE');
"""


def _make_folder(folder: Path) -> Path:
    for name in (DATABASE, SETTINGS):
        (folder / name).parent.mkdir()
    (folder / SETTINGS).write_text("[project]\nname = Desk at 100%\n")
    with sqlite3.connect(folder / DATABASE) as database:
        database.executescript(SCHEMA)
    database.close()
    return folder


def test_tickets_lists_and_the_newest_pages_are_read(tmp_path: Path) -> None:
    state = read_state(_make_folder(tmp_path))
    ticket = state["tickets"]["Logo"]
    assert (ticket["owner"], ticket["milestone"], ticket["description"]) == ("berg1", "", "Old.")
    assert ticket["comments"] == [{"by": "ott2", "text": "Soon"}]
    assert state["milestones"]["Spring"] == {
        "description": "",
        "due": "2025-06-01",
        "completed": False,
    }
    assert state["milestones"]["Autumn"]["completed"]
    assert state["lists"]["priority"] == ["major", "minor"]
    assert state["pages"] == {"Fair": "Twice"}
    assert state["rights"] == {"berg1": ["TICKET_CREATE", "WIKI_MODIFY"]}
    assert state["project"] == {"name": "Desk at 100%", "descr": "", "url": ""}


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("INSERT INTO attachment VALUES ('ticket', '7', 'a.txt', 3, 'Old')", "files"),
        ("INSERT INTO attachment VALUES ('wiki', 'Fair', 'a.txt', 3, NULL)", "files"),
        ("UPDATE wiki SET readonly = 1", "locked"),
        ("UPDATE report SET query = 'SELECT 2'", "reports"),
        ("DELETE FROM report", "reports"),
        ("INSERT INTO ticket_change VALUES (7, 6, 'ott2', '_comment0', 'Never', '7')", "tickets"),
    ],
)
def test_what_is_done_besides_shows(tmp_path: Path, statement: str, part: str) -> None:
    before = read_state(_make_folder(tmp_path))
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.execute(statement)
    database.close()
    after = read_state(tmp_path)
    assert [name for name in before if before[name] != after[name]] == [part]


def test_files_are_named_by_what_they_are_attached_to(tmp_path: Path) -> None:
    with sqlite3.connect(_make_folder(tmp_path) / DATABASE) as database:
        database.execute("INSERT INTO attachment VALUES ('ticket', '7', 'a.txt', 3, 'Old')")
    database.close()
    assert read_state(tmp_path)["files"] == {"ticket Logo: a.txt": "3 bytes, Old"}
