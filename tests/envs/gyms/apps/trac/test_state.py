"""The tracker's canonical state, read from a database of Trac's tables and its settings."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from envs.gyms.apps.trac.state import DATABASE, SETTINGS, read_state

SCHEMA = """
CREATE TABLE ticket (id, summary, description, type, component, priority, owner, reporter, cc,
    version, milestone, status, resolution, keywords);
CREATE TABLE ticket_change (ticket, time, author, field, oldvalue, newvalue);
CREATE TABLE milestone (name, due, completed, description);
CREATE TABLE component (name, owner, description);
CREATE TABLE version (name, time, description);
CREATE TABLE enum (type, name, value);
CREATE TABLE wiki (name, version, text);
CREATE TABLE permission (username, action);
INSERT INTO ticket VALUES (7, 'Logo', 'Old. ', 'task', 'Mail', 'major', 'berg1', 'ott2', NULL,
    '1.0', NULL, 'new', NULL, 'logo');
INSERT INTO ticket_change VALUES (7, 5, 'ott2', 'comment', '1', 'Soon'),
    (7, 6, 'ott2', 'comment', '2', ''),
    (7, 6, 'ott2', 'owner', 'ott2', 'berg1');
INSERT INTO milestone VALUES ('Spring', 1748736000000000, 0, NULL), ('Autumn', 0, 5, 'Over');
INSERT INTO component VALUES ('Mail', 'berg1', NULL);
INSERT INTO enum VALUES ('priority', 'minor', '10'), ('priority', 'major', '9');
INSERT INTO wiki VALUES ('Fair', 1, 'Once'), ('Fair', 2, 'Twice');
INSERT INTO permission VALUES ('berg1', 'WIKI_MODIFY'), ('berg1', 'TICKET_CREATE');
"""


def test_tickets_lists_and_the_newest_pages_are_read(tmp_path: Path) -> None:
    for name in (DATABASE, SETTINGS):
        (tmp_path / name).parent.mkdir()
    (tmp_path / SETTINGS).write_text("[project]\nname = Desk at 100%\n")
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.executescript(SCHEMA)
    database.close()
    state = read_state(tmp_path)
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
