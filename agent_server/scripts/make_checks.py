"""What a script checks after a step, and how it ends: read from the pages of the trajectory.

A check holds what another day would show as well: the path of the address without its numbers,
what the step put into the address, a heading with a parameter, the message that something was
done.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from agent_server.scripts import model
from agent_server.scripts.interruptions import Page
from agent_server.scripts.model import Check, End, Read
from agent_server.scripts.texts import (
    insert,
    is_steady,
    parameters_in,
    steady_beginning,
)
from envs.contract.actions import Done, Infeasible

_DONE = re.compile(
    r"^✓|\b(saved|created|sent|deleted|removed|updated|added|done|moved|placed|cancelled)\b", re.I
)
MIN_SHOWN = 4
"""Shorter beginnings of lines say nothing."""


def make_check(before: Page, after: Page, values: Mapping[str, str]) -> Check:
    """What was so after a step and would be again."""
    had = dict(parse_qsl(urlsplit(before.url).query))
    query = {
        key: insert(value, values)
        for key, value in parse_qsl(urlsplit(after.url).query)
        if had.get(key) != value and is_steady(insert(value, values))
    }
    path = path_pattern(after.url, values)
    return Check(path=path or None, query=query, shows=_find_shown(before, after, values))


def path_pattern(url: str, values: Mapping[str, str]) -> str:
    """The path of an address; parts with numbers are `*`, unless they are a parameter's value."""
    parts = [insert(part, values) for part in urlsplit(url).path.split("/")]
    return "/".join(part if is_steady(part) else "*" for part in parts)


def _find_shown(before: Page, after: Page, values: Mapping[str, str]) -> str | None:
    """The beginning of a new line: the message of what was done, or a heading with a parameter."""
    seen = {line.name for line in before.lines if line.ref is None}
    new = [line for line in after.lines if line.ref is None and line.name not in seen]
    for line in new:
        text = steady_beginning(insert(line.name, values))
        if line.role == "text" and _DONE.search(line.name) and len(text) >= MIN_SHOWN:
            return text
    for line in new:
        text = steady_beginning(insert(line.name, values))
        if line.role == "heading" and parameters_in(text):
            return text
    return None


def make_end(action: Done | Infeasible, page: Page, values: Mapping[str, str]) -> End:
    """An answer that the last page shows is read from it; any other is kept as it was."""
    if isinstance(action, Infeasible):
        return model.Infeasible(reason=insert(action.reason, values))
    answer = action.answer
    if answer is None:
        return model.Done()
    if answer not in values.values() and (reading := _find_reading(answer, page, values)):
        return reading
    return model.Done(answer=insert(answer, values))


def _find_reading(answer: str, page: Page, values: Mapping[str, str]) -> Read | None:
    for line in page.lines:
        if line.value == answer and line.name and is_steady(insert(line.name, values)):
            return Read(field=insert(line.name, values))
    for line in page.lines:
        before, match, after = line.name.partition(answer)
        if not match or line.ref is not None:
            continue
        before, after = insert(before, values), insert(after, values)
        if before and is_steady(before) and (not after or is_steady(after)):
            return Read(after=before, before=after)
    return None


def is_fixed(end: End) -> bool:
    """Whether it answers with a text that no parameter and no page gives."""
    return isinstance(end, model.Done) and end.answer is not None and not parameters_in(end.answer)
