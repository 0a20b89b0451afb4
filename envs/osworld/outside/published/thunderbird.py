"""Metrics of what Thunderbird keeps: settings (prefs.js), message filters, folders of mail."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from envs.osworld.format.mbox import DELETED, SEPARATOR
from envs.osworld.outside.published.error_policy import scores_0_on
from envs.osworld.outside.published.value_rules import Rule, fulfils, fulfils_compat

Rules = Mapping[str, Mapping[str, Rule]]
Record = Mapping[str, Any]
_PREFERENCE = re.compile(r'user_pref\("((?:[^"\\]|\\.)+)", (.+)\);')
_ENTRY = re.compile(r'(\w+)="(.*)"')
_TERM = re.compile(r'\b(AND|OR) \(((?:"[^"]*"|[^,()"]+),[\w \']+,(?:"[^"]*"|[^)]*))\)|\bALL\b')
_STATUS = re.compile(rb"^X-Mozilla-Status: *([0-9a-fA-F]{4})", re.MULTILINE)


@scores_0_on(UnicodeDecodeError)
def check_thunderbird_prefs(result: Path, rules: Rules) -> float:
    """1 when each setting of `expect` is there and fulfils its rule, and none of `unexpect` does.
    A setting that was never changed is not in the file."""
    stored = {name: _value(text) for name, text in _preferences(result)}
    return float(
        all(
            name in stored and fulfils(stored[name], rule)
            for name, rule in rules.get("expect", {}).items()
        )
        and not any(
            name in stored and fulfils(stored[name], rule)
            for name, rule in rules.get("unexpect", {}).items()
        )
    )


def check_thunderbird_prefs_compat(result: Path, rules: Rules) -> float:
    """Raises where any line's value is no JSON, and where a rule is of no kind for the value. A
    name in `expect` is not looked for in `unexpect`."""
    required, forbidden = rules.get("expect", {}), rules.get("unexpect", {})
    met, clean = dict.fromkeys(required, False), True
    for name, text in _preferences(result):
        value = json.loads(text)
        if name in required:
            met[name] = fulfils_compat(value, required[name])
        elif name in forbidden:
            clean = clean and not fulfils_compat(value, forbidden[name])
    return float(all(met.values()) and clean)


def _preferences(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        match = _PREFERENCE.fullmatch(line.strip())
        if match is not None:
            yield match[1], match[2]


def _value(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


@dataclass
class Filter:
    """`fields`: name, enabled, type. Each action with its value, or ""."""

    fields: dict[str, str] = field(default_factory=dict)
    actions: list[tuple[str, str]] = field(default_factory=list)
    condition: str = ""


@scores_0_on(UnicodeDecodeError)
def check_thunderbird_filter(result: Path, rules: Mapping[str, Sequence[Record]]) -> float:
    """1 when each record of `expect` describes a filter, and none of `unexpect` does. A record
    that names an action means that one alone. Conditions may stand in any order; of a single one
    it does not matter whether all or any must be met."""
    filters = list(_filters(result.read_text(encoding="utf-8")))

    def there(record: Record) -> bool:
        return any(_describes(record, candidate) for candidate in filters)

    return float(
        all(there(record) for record in rules.get("expect", ()))
        and not any(there(record) for record in rules.get("unexpect", ()))
    )


def _filters(text: str) -> Iterator[Filter]:
    current: Filter | None = None
    for line in text.split("\n"):
        entry = _ENTRY.fullmatch(line.strip())
        if entry is None:
            continue
        name, value = entry[1], re.sub(r'\\(["\\])', r"\1", entry[2])
        if name == "name":
            if current is not None:
                yield current
            current = Filter()
        if current is not None:
            _note(current, name, value)
    if current is not None:
        yield current


def _note(current: Filter, name: str, value: str) -> None:
    if name == "action":
        current.actions.append((value, ""))
    elif name == "actionValue" and current.actions:
        current.actions[-1] = (current.actions[-1][0], value)
    elif name == "condition":
        current.condition = value
    else:
        current.fields[name] = value


def _describes(record: Record, candidate: Filter) -> bool:
    for name, value in record.items():
        if name == "condition":
            if _terms(" ".join(value)) != _terms(candidate.condition):
                return False
        elif name in ("action", "actionValue"):
            side = ("action", "actionValue").index(name)
            if [action[side] for action in candidate.actions] != [value]:
                return False
        elif candidate.fields.get(name) != value:
            return False
    return True


def _terms(condition: str) -> tuple[list[str], Counter[str]]:
    """How the terms are joined, and each of them; none of them is ALL."""
    terms = [match for match in _TERM.finditer(condition) if match[1]]
    joined = sorted({match[1] for match in terms}) if len(terms) > 1 else []
    return joined, Counter(match[2].replace('"', "") for match in terms)


def check_thunderbird_folder(
    result: Path | Sequence[Path],
    expected: Path | Sequence[Path],
    ignore_status: bool = True,
    ignore_keys: bool = True,
    remove_deleted: bool = True,
    remove_duplicate: bool = True,
) -> float:
    """1 when each folder (or .eml file) holds the messages of its counterpart, in any order. What
    Thunderbird notes about a message (read, starred: status; tags: keys) counts only on request."""
    judged, reference = (
        [side] if isinstance(side, Path) else list(side) for side in (result, expected)
    )
    ignored = [b"X-Account-Key:"]
    ignored += [b"X-Mozilla-Status"] * ignore_status + [b"X-Mozilla-Keys:"] * ignore_keys

    def messages(path: Path) -> Counter[bytes]:
        kept = Counter(_messages(path, tuple(ignored), remove_deleted))
        return Counter(set(kept)) if remove_duplicate else kept

    return float(
        len(judged) == len(reference)
        and all(
            messages(actual) == messages(target)
            for actual, target in zip(judged, reference, strict=True)
        )
    )


def _messages(path: Path, ignored: tuple[bytes, ...], remove_deleted: bool) -> Iterator[bytes]:
    alone, *parts = SEPARATOR.split(path.read_bytes().replace(b"\r\n", b"\n"))
    sources = [alone] if alone.strip() else []
    sources += [part.partition(b"\n")[2] for part in parts]
    for source in sources:
        head, _, body = source.strip().partition(b"\n\n")
        status = _STATUS.search(head)
        if remove_deleted and status is not None and int(status[1], 16) & DELETED:
            continue
        lines = [line.rstrip() for line in head.split(b"\n") if not line.startswith(ignored)]
        yield b"\n".join([*lines, b"", body])
