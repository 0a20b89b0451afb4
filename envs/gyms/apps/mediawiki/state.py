"""The wiki's canonical state: of a world, and as MediaWiki's database has it.

What pages say is folded: blank lines, blanks at the ends of lines, the day of the user's signature
and other ways to write a list, a category or a redirect say nothing. Left out are versions,
authors, summaries and times: a task may be done in one edit or in five.
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
    r"\[\[User:(?P<who>[^\]|]+)\|[^\]]+\]\] \(\[\[User talk:(?P=who)\|talk\]\]\)"
    r" \d\d:\d\d, [^()]*\(UTC\)"
)
"""What four tildes become. Three leave out the time, and so are another text."""
_REDIRECT = re.compile(r"\A\s*#redirect\s*:?\s*\[\[([^\]|#]+)(?:\|[^\]]*)?\]\]", re.IGNORECASE)
_CATEGORY = re.compile(r"\[\[[\s_]*category[\s_]*:([^\]|]+)\]\]", re.IGNORECASE)
_ENTRY = re.compile(r"^([*#:;]+)[ \t]*(?=\S)", re.MULTILINE)
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
    SELECT page_namespace, page_title, pr_type, pr_level, pr_expiry, pr_cascade
    FROM page_restrictions JOIN page ON page_id = pr_page
    UNION ALL SELECT pt_namespace, pt_title, 'create', pt_create_perm, pt_expiry, 0
    FROM protected_titles
"""
_BLOCKED = "SELECT ipb_address, ipb_expiry FROM ipblocks"
_ACCOUNTS = """
    SELECT user_name, group_concat(ug_group, '+') FROM user
    LEFT JOIN (SELECT * FROM user_groups ORDER BY ug_group) ON ug_user = user_id GROUP BY user_id
"""
INSTALLED_ACCOUNTS = {"Operator": "bureaucrat+interface-admin+sysop", "MediaWiki default": ""}
"""Groups of those whom the installer makes."""
FOR_EVER = "infinity"
_SETTINGS = """
    SELECT up_property, up_value FROM user_properties JOIN user ON user_id = up_user
    WHERE user_name = ?
"""


def fold_text(text: str, user: str = "") -> str:
    """A page's text without what nobody can see. `user`: whose signature becomes four tildes."""

    def fold_signature(match: re.Match[str]) -> str:
        return "~~~~" if match["who"].replace("_", " ") == user else match[0]

    text = _CATEGORY.sub(lambda match: f"[[Category:{_fold_title(match[1])}]]", text)
    text = _SIGNATURE.sub(fold_signature, text)
    if match := _REDIRECT.match(text):
        text = f"#REDIRECT [[{_fold_title(match[1])}]]{text[match.end() :]}"
    else:
        # A redirect would be a numbered list otherwise.
        text = _ENTRY.sub(r"\1 ", text)
    lines = (line.rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line).replace("\n~~~~", " ~~~~")


def _fold_title(title: str) -> str:
    """As MediaWiki takes it: an underscore is a blank, the first letter a capital."""
    words = " ".join(title.replace("_", " ").split())
    return words[:1].upper() + words[1:]


def make_state(world: Company, book: Handbook) -> State:
    """The state of a handbook."""
    return {
        "user": world.user.name,
        "pages": {title: fold_text(text) for title, text in book.texts.items()},
        "watched": dict.fromkeys(book.watched, True),
        "protected": {title: {"edit": "sysop", "move": "sysop"} for title in book.protected},
        "blocked": {},
        "accounts": INSTALLED_ACCOUNTS
        | {book.staff[0].name: ""}
        | {revision.by: "" for revision in book.revisions}
        | {world.user.name: "sysop"},
        "settings": {},
    }


def read_state(folder: Path, user: str) -> State:
    """The state in the database of a copy."""
    address = f"file:{folder / DATABASE}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=BUSY_S)) as database:
        pages = {
            _name(space, title): fold_text(_to_text(text), user)
            for space, title, text in database.execute(_PAGES)
        }
        watched = {
            _name(space, title): True for space, title in database.execute(_WATCHED, (user,))
        }
        protected: dict[str, dict[str, str]] = {}
        for space, title, action, level, expiry, cascades in database.execute(_PROTECTED):
            end = "" if (until := _to_text(expiry or FOR_EVER)) == FOR_EVER else f" until {until}"
            rest = ", with all that it shows" if cascades else ""
            protected.setdefault(_name(space, title), {})[_to_text(action)] = (
                f"{_to_text(level)}{end}{rest}"
            )
        blocked = {_to_text(who): _to_text(end) for who, end in database.execute(_BLOCKED)}
        accounts = {
            _to_text(name): _to_text(groups or "") for name, groups in database.execute(_ACCOUNTS)
        }
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
        "blocked": blocked,
        "accounts": accounts,
        "settings": settings,
    }


def _to_text(value: str | bytes) -> str:
    # SQLite gives back what it was given, and MediaWiki gives it both.
    return value if isinstance(value, str) else value.decode()


def _name(namespace: int, title: str) -> str:
    return NAMESPACES.get(namespace, f"{namespace}:") + title.replace("_", " ")
