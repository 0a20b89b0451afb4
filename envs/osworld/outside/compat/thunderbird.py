"""Filters and folders of Thunderbird, as OSWorld itself scores them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from envs.osworld.outside.published import patterns

Record = Mapping[str, Any]
_CONDITION = patterns.compile_pattern(
    r"""\b(?:AND|OR) \([\w ]+,[\w ']+,(?:"(?s:.+)"|[^)]+)\)|\bALL\b"""
)
_FIELDS = ("name", "enabled", "type", "action", "actionValue", "condition")


def check_thunderbird_filter_compat(result: Path, rules: Mapping[str, Sequence[Record]]) -> float:
    """Of several actions the last counts; conditions are compared as they are written."""
    filters = list(_filters(result.read_text(encoding="utf-8")))

    def there(record: Record) -> bool:
        return any(
            all(name in candidate and candidate[name] == value for name, value in record.items())
            for candidate in filters
        )

    return float(
        all(there(record) for record in rules.get("expect", ()))
        and not any(there(record) for record in rules.get("unexpect", ()))
    )


def _filters(text: str) -> Iterator[dict[str, Any]]:
    """Those with a condition; what follows it still belongs to them."""
    current: dict[str, Any] | None = None
    complete: list[dict[str, Any]] = []
    for line in text.splitlines(keepends=True):
        name = next((field for field in _FIELDS if line.startswith(f"{field}=")), None)
        if name is None:
            continue
        # A quote and a line break are cut off, whether they are there or not.
        value: Any = line[len(name) + 2 : -2].replace('\\"', '"').replace("\\\\", "\\")
        if name == "name":
            current = {}
        if current is None:
            raise UnboundLocalError("the file does not begin with a filter's name")
        if name == "condition":
            value = _CONDITION.findall(value, timeout=patterns.SEARCH_S)
            complete.append(current)
        current[name] = value
    yield from complete


def check_thunderbird_folder_compat(
    result: Any, expected: Any, remove_duplicate: bool = True, **options: bool
) -> float:
    """Looks only at what is empty between marks that Thunderbird does not write."""
    if not isinstance(expected, list):
        result, expected = [result], [expected]
    for actual, target in zip(result, expected, strict=False):
        if actual is None:
            return 0.0
        counts = [_empty_parts(path) for path in (actual, target)]
        if remove_duplicate:
            counts = [min(count, 1) for count in counts]
        if counts[0] != counts[1]:
            return 0.0
    return 1.0


def _empty_parts(path: Path) -> int:
    parts = path.read_text(encoding="utf-8").strip().split("FROM - ")
    return sum(not part.strip() for part in parts)
