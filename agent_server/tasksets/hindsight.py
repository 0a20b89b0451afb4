"""What a walk changed, in words: the instruction of a task that asks for the same.

Guarantees: the words come from the state and the page alone, by rule; ids that an app gave by
itself are left out, because nobody could be asked for them; nothing is described of which no value
or name would be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from envs.contract.observations import one_line
from envs.gyms.kit.expected_state import SERIALS
from envs.state.canonical import Change

LABELS = ("name", "title", "subject", "label", "summary")
"""Fields by which a person calls a record, the first that it has."""
MAX_CHANGES = 6
"""More at once are no task that a sentence says."""
MAX_CHARS = 400
VALUE_CHARS = 80
_REFERENCE = re.compile(r"[a-z]{1,4}\d+")
_ID = re.compile(r"[a-z]{1,4}\d+|\d{1,2}")
State = dict[str, Any]


def describe(
    place: str, state: State, changes: Sequence[Change], is_one_place: bool = True
) -> str | None:
    """The instruction: on the page that is called so, where the last move was made, from `state`
    to one with the changes. `is_one_place`: all of them were made there. None where a person could
    not be told."""
    if not changes or len(changes) > MAX_CHANGES:
        return None
    names = dict(_names(state))
    its = {value for change in changes for value in _references(change, names)}
    if len(its) > 1 or (its and not is_one_place):
        # "It" would be two things, or a thing of another page.
        return None
    parts = [_describe_change(state, change, names) for change in changes]
    sayable = [part for part in parts if part]
    if not sayable or len(sayable) < len(parts):
        return None
    text = f'On the page "{one_line(place, VALUE_CHARS)}": {"; ".join(sayable)}.'
    return text if len(text) <= MAX_CHARS else None


def kind_of(changes: Sequence[Change]) -> str:
    """The list or field that the changes are of, for a template's name."""
    tokens = [token for token in changes[0].path.split("/") if token]
    words = [token for token in tokens if re.fullmatch(r"[a-z_]+", token)]
    return "-".join(words[:2]).replace("_", "-") or "state"


def _names(value: Any) -> Iterator[tuple[str, str]]:
    """Ids of records, and what they are called."""
    if isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, dict):
        if "id" in value and (label := _label(value)):
            yield str(value["id"]), label
        for child in value.values():
            yield from _names(child)


def _label(record: dict[str, Any]) -> str:
    return next((str(record[key]) for key in LABELS if record.get(key)), "")


def _describe_change(state: State, change: Change, names: dict[str, str]) -> str:
    """Nothing where there is no word for it."""
    *way, last = change.path.removeprefix("/").split("/")
    where, record = _place(state, way)
    value = change.before if change.kind == "removed" else change.after
    if change.kind == "changed":
        words = _value(value, names)
        of = f" of {record}" if record else f" in {where}" if where else ""
        return f"set the {_words(last)}{of} to {words}" if words else ""
    if isinstance(value, dict):
        return _describe_record(
            change.kind == "added", _words(way[-1] if way else last), value, names
        )
    words = _value(value, names)
    verb = "add" if change.kind == "added" else "remove"
    preposition = "to" if change.kind == "added" else "from"
    holder = record or where or _words(last)
    return f"{verb} {words} {preposition} {holder}" if words else ""


def _describe_record(added: bool, where: str, record: dict[str, Any], names: dict[str, str]) -> str:
    """A record that refers to what the page shows, by an id that names nothing, is "it"."""
    refers = any(_refers(value, names) for value in record.values())
    fields = ", ".join(_fields(record, names))
    if not added:
        return f"remove {_label(record) or 'it'} from {where}" if refers or _label(record) else ""
    verb = f"add it to {where}" if refers else f"add to {where}"
    return f"{verb}: {fields}" if fields else verb if refers else ""


def _references(change: Change, names: dict[str, str]) -> Iterator[str]:
    value = change.before if change.kind == "removed" else change.after
    if isinstance(value, dict):
        yield from (str(each) for each in value.values() if _refers(each, names))


def _refers(value: Any, names: dict[str, str]) -> bool:
    return isinstance(value, str) and value not in names and _REFERENCE.fullmatch(value) is not None


def _place(state: State, way: Sequence[str]) -> tuple[str, str]:
    """The list or part that a path leads through, in words, and the record in it, if any."""
    value: Any = state
    where = record = ""
    for token in way:
        if isinstance(value, list):
            value = next(
                (item for item in value if isinstance(item, dict) and str(item.get("id")) == token),
                None,
            )
            record = _label(value) if isinstance(value, dict) else ""
            record = record or f"{where} {token}"
        else:
            value = value.get(token) if isinstance(value, dict) else None
            where = _words(token)
    return where, record


def _fields(record: dict[str, Any], names: dict[str, str]) -> Iterator[str]:
    for key, value in record.items():
        if key in SERIALS or isinstance(value, list | dict):
            continue
        words = _value(value, names)
        if words:
            yield f"{_words(key)} {words}"


def _value(value: Any, names: dict[str, str]) -> str:
    """Nothing for what is empty or an id that names nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == "" or isinstance(value, list | dict):
        return ""
    text = str(value)
    if isinstance(value, str) and text in names:
        return one_line(names[text], VALUE_CHARS)
    if isinstance(value, str) and _ID.fullmatch(text):
        return ""
    return one_line(text, VALUE_CHARS)


def _words(token: str) -> str:
    return token.replace("_", " ")
