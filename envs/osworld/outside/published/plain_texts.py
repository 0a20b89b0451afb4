"""Metrics of text files (UTF-8)."""

from __future__ import annotations

import difflib
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from envs.osworld.outside.published import patterns
from envs.osworld.outside.published.error_policy import scores_0_on

TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)")
HEAD_LINES = 3
_HEADS = ("#!", "# -*- coding:", "# coding:", "# coding=")


@scores_0_on(UnicodeDecodeError)
def check_list(result: Path, rules: Mapping[str, Sequence[str]]) -> float:
    """1 when each pattern of `expect` is found in some line and none of `unexpect` in any."""
    required = [patterns.compile_pattern(pattern) for pattern in rules.get("expect", ())]
    forbidden = [patterns.compile_pattern(pattern) for pattern in rules.get("unexpect", ())]
    lines = list(io.StringIO(_text(result)))
    return float(
        all(any(patterns.has_match(pattern, line) for line in lines) for pattern in required)
        and not any(patterns.has_match(pattern, line) for pattern in forbidden for line in lines)
    )


@scores_0_on(UnicodeDecodeError)
def check_line_number(result: Path, rules: Mapping[str, str | int]) -> float:
    """1 when `expected` lines hold a time of day, as in 09:30:00."""
    timed = sum(TIME.search(line) is not None for line in _text(result).split("\n"))
    return float(timed == int(rules["expected"]))


@scores_0_on(UnicodeDecodeError)
def file_contains(result: Path, rules: Mapping[str, Sequence[str]]) -> float:
    """1 when the file holds each text of `expected`."""
    text = _text(result)
    return float(all(part in text for part in rules["expected"]))


@scores_0_on(UnicodeDecodeError)
def compare_terminal_and_txt(result: Path, expected: str) -> float:
    """1 when the file holds just what the terminal shows."""
    return float(bool(expected) and _text(result) == expected)


@scores_0_on(UnicodeDecodeError)
def diff_text_file(result: Path, expected: Path) -> float:
    """How alike the files are, by lines."""
    lines = [_text(path).splitlines() for path in (result, expected)]
    return difflib.SequenceMatcher(a=lines[0], b=lines[1]).ratio()


@scores_0_on(UnicodeDecodeError)
def compare_python_pure_text(result: Path, expected: Path) -> float:
    """1 when both are the same source but for empty lines, tabs, blanks at the ends of lines, and
    a first line that names interpreter or encoding."""
    return float(_source(result) == _source(expected))


def _source(path: Path) -> list[str]:
    lines = _text(path).splitlines()
    head = 0
    while head < min(HEAD_LINES, len(lines)) and lines[head].strip().startswith(_HEADS):
        head += 1
    return [line.expandtabs(4).rstrip() for line in lines[head:] if line.strip()]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
