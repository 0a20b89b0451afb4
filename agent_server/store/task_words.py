"""Finds tasks of the API by words of their instruction, on any database.

Each task has a row a word; a search is one range of that table's index for each of its words, which
stand for all that begins like them. Guarantees: no search reads the tasks themselves; a task costs
at most MAX_WORDS rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, select

from agent_server.store.engine import table_of
from agent_server.store.tables import Episode, TaskWord

MAX_WORDS = 200
"""Of one task, the first ones; of 4,000 characters few have more."""
MAX_LETTERS = 40
MAX_SEARCHED = 8
_WORD = re.compile(r"\w+")

task_word = table_of(TaskWord)


def split_words(text: str, limit: int = MAX_WORDS) -> list[str]:
    """Different words of a text, in order, without regard to case."""
    words = (match.group()[:MAX_LETTERS] for match in _WORD.finditer(text.casefold()))
    return list(dict.fromkeys(words))[:limit]


def index_tasks(db: Connection, rows: Sequence[Episode]) -> None:
    """Make new tasks findable."""
    entries = [
        {"word": word, "root_id": row.id} for row in rows for word in split_words(_text_of(row))
    ]
    if entries:
        db.execute(insert(task_word), entries)


def has_words(root_id: Any, text: str) -> list[Any]:
    """Conditions on a column of root ids: its task has, for each of the text's words, a word that
    begins like it."""
    return [
        root_id.in_(select(task_word.c.root_id).where(_begins_like(word)))
        for word in split_words(text, MAX_SEARCHED)
    ]


def _begins_like(word: str) -> Any:
    # A range, and not LIKE: SQLite's LIKE passes over case, so its index could not serve it.
    after = word[:-1] + chr(ord(word[-1]) + 1)
    return (task_word.c.word >= word) & (task_word.c.word < after)


def _text_of(row: Episode) -> str:
    parts = (row.task.get(name) for name in ("instruction", "id", "start_url"))
    return " ".join(part for part in parts if isinstance(part, str))
