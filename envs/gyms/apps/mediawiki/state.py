"""The wiki's canonical state: of a world, and as MediaWiki's database has it.

What pages say is folded: blank lines, blanks at the ends of lines and signatures say nothing. Left
out are versions, authors, summaries and times: a task may be done in one edit or in five.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from envs.gyms.apps.mediawiki.content import Handbook
from envs.gyms.kit.company import Company
from envs.gyms.server.gym import State

DATABASE = "wiki.sqlite"
BUSY_S = 5.0
NAMESPACES = {
    0: "",
    1: "Talk:",
    2: "User:",
    3: "User talk:",
    4: "Handbook:",
    5: "Handbook talk:",
    6: "File:",
    8: "MediaWiki:",
    10: "Template:",
    12: "Help:",
    14: "Category:",
}
PREFERENCES = ("nickname", "language", "skin", "realname")
_SIGNATURE = re.compile(
    r"\[\[User:[^\]|]+\|[^\]]+\]\] \(\[\[User talk:[^\]|]+\|talk\]\]\)(?: \d\d:\d\d, [^)]*\(UTC\))?"
)
_PAGES = """
    SELECT page_namespace, page_title, old_text FROM page
    JOIN slots ON slot_revision_id = page_latest
    JOIN content ON content_id = slot_content_id
    JOIN text ON 'tt:' || old_id = content_address
"""
_WATCHED = """
    SELECT wl_namespace, wl_title FROM watchlist JOIN user ON user_id = wl_user
    WHERE user_name = ? AND wl_namespace % 2 = 0
"""
_PROTECTED = """
    SELECT page_namespace, page_title, pr_type, pr_level FROM page_restrictions
    JOIN page ON page_id = pr_page
"""
_SETTINGS = """
    SELECT up_property, up_value FROM user_properties JOIN user ON user_id = up_user
    WHERE user_name = ?
"""


def fold_text(text: str) -> str:
    """A page's text without what nobody can see."""
    lines = (line.rstrip() for line in _SIGNATURE.sub("~~~~", text).splitlines())
    return "\n".join(line for line in lines if line).replace("\n~~~~", " ~~~~")


def make_state(world: Company, book: Handbook) -> State:
    """The state of a handbook."""
    return {
        "user": world.user.name,
        "pages": {title: fold_text(text) for title, text in book.texts.items()},
        "watched": dict.fromkeys(book.watched, True),
        "protected": {title: {"edit": "sysop", "move": "sysop"} for title in book.protected},
        "settings": {},
    }


def read_state(folder: Path, user: str) -> State:
    """The state in the database of a copy."""
    address = f"file:{folder / DATABASE}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=BUSY_S)) as database:
        pages = {
            _name(space, title): fold_text(text if isinstance(text, str) else text.decode())
            for space, title, text in database.execute(_PAGES)
        }
        watched = {
            _name(space, title): True for space, title in database.execute(_WATCHED, (user,))
        }
        protected: dict[str, dict[str, str]] = {}
        for space, title, action, level in database.execute(_PROTECTED):
            protected.setdefault(_name(space, title), {})[action] = level
        settings = {
            name: value
            for name, value in database.execute(_SETTINGS, (user,))
            if name in PREFERENCES
        }
    return {
        "user": user,
        "pages": pages,
        "watched": watched,
        "protected": protected,
        "settings": settings,
    }


def _name(namespace: int, title: str) -> str:
    return NAMESPACES.get(namespace, f"{namespace}:") + title.replace("_", " ")
