"""OSWorld's metrics of a timetable: lines "time, train, station, platform" in a .docx file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from envs.osworld.outside.published.error_policy import BadRules, Unreadable, broken_scores_0
from envs.osworld.outside.published.word_files import open_document, texts

FIELDS = 4


@broken_scores_0
def compare_unique_train_records(result: Path, expected: Sequence[Path]) -> float:
    """1 when each train has one record, the trains are those of the first expected file, there are
    as many lines as in it, and each line is in the second, the original."""
    if not isinstance(expected, list | tuple) or len(expected) < 2:
        raise BadRules(f"expected are the right file and the original, not {expected!r}")
    lines, target, original = (_lines(path) for path in (result, *expected[:2]))
    trains = _trains(lines)
    return float(
        set(lines) <= set(original)
        and len(trains) == len(set(trains))
        and set(trains) == set(_trains(target))
        and len(lines) == len(target)
    )


@broken_scores_0
def check_no_duplicates(result: Path, expected: Path) -> float:
    """1 when the result has one record of each train of the expected file and of no other."""
    trains = _trains(texts(open_document(result)))
    return float(sorted(trains) == sorted(set(_trains(texts(open_document(expected))))))


def check_no_duplicates_compat(result: Path, expected: Path) -> float:
    """Takes the result for the original and the expected file for what is judged."""
    trains, original = (_trains(_readable_texts(path)) for path in (expected, result))
    return float(sorted(trains) == sorted(set(original)))


@broken_scores_0
def get_unique_train_ids(result: Path) -> float:
    """1 when the document has records, and one of each train."""
    trains = _trains(texts(open_document(result)))
    return float(bool(trains) and len(trains) == len(set(trains)))


def get_unique_train_ids_compat(result: Path) -> Any:
    """No score: the trains and their number."""
    trains = set(_trains(_readable_texts(result)))
    return trains, len(trains)


def _readable_texts(path: Path) -> list[str]:
    try:
        return texts(open_document(path))
    except Unreadable:
        return []


def _lines(path: Path) -> list[str]:
    return [line.strip() for line in texts(open_document(path)) if line.strip()]


def _trains(lines: Sequence[str]) -> list[str]:
    records = (line.split(",") for line in lines)
    return [record[1].strip() for record in records if len(record) == FIELDS]
