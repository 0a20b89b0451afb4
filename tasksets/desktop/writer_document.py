"""What tasks in Writer share: a task that edits an open document, and the oracle's keys."""

from __future__ import annotations

from collections.abc import Sequence

from tasksets.desktop.actions import finish, key, tool
from tasksets.desktop.checks import all_of, check_file, only_changed
from tasksets.desktop.setup_steps import create_document, open_path
from tasksets.desktop.template import DOCUMENTS, Draft, Json

MAX_REPEAT = 100
"""Of one key action."""


def edit_document(
    *,
    file_name: str,
    instruction: str,
    before: Json,
    after: Json,
    api: Sequence[Json],
    gui: Sequence[Json] | None = None,
) -> Draft:
    """A task that turns an open document into another; the actions need not save."""
    path = f"{DOCUMENTS}/{file_name}"
    return Draft(
        instruction=instruction,
        config=[create_document(path, **before), open_path(path)],
        evaluator=all_of(check_file("document_is", path, after), only_changed(changed=[path])),
        api=[*api, tool("writer.save"), finish()],
        gui=None if gui is None else [*gui, key("ctrl", "s"), finish()],
    )


def move_to_paragraph(number: int) -> list[Json]:
    """Keys that put the cursor at the beginning of a paragraph (counted from 1)."""
    start = key("ctrl", "home")
    return [start] if number == 1 else [start, key("ctrl", "down", repeat=number - 1)]


def move_right(text: str) -> list[Json]:
    """Keys that put the cursor behind this beginning of the document."""
    hundreds, rest = divmod(len(text), MAX_REPEAT)
    parts = [MAX_REPEAT] * hundreds + [rest] * bool(rest)
    return [key("ctrl", "home"), *(key("right", repeat=count) for count in parts)]
