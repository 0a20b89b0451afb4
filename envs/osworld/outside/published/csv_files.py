"""Metrics of files of comma-separated values.

Guarantees: values count, however they are quoted; a byte order mark does not matter.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from envs.osworld.outside.published.error_policy import scores_0_on

Records = Sequence[Mapping[str, str]]
MINUTES_A_DAY = 24 * 60


@scores_0_on(csv.Error)
def compare_csv(
    result: Path,
    expected: Path | Sequence[Path],
    strict: bool = True,
    ignore_case: bool = False,
) -> float:
    """1 when the file has the rows of `expected`, or of one of several. Not `strict`: blanks at the
    ends of lines do not matter."""
    rows = _rows(result, strict, ignore_case)
    return float(any(rows == _rows(path, strict, ignore_case) for path in _as_list(expected)))


def compare_csv_compat(
    result: Path,
    expected: Path | Sequence[Path],
    strict: bool = True,
    ignore_case: bool = False,
) -> float:
    """Compares lines, so quotes and a byte order mark make a difference."""
    lines = _lines(decode_text_compat(result), strict, ignore_case)
    return float(
        any(
            lines == _lines(decode_text_compat(path), strict, ignore_case)
            for path in _as_list(expected)
        )
    )


@scores_0_on(csv.Error, UnicodeDecodeError)
def check_csv(result: Path, rules: Mapping[str, Records]) -> float:
    """1 when some row has the values of each record of `expect`, and no row those of a record of
    `unexpect`."""
    return _score_records(result.read_text(encoding="utf-8-sig"), rules)


def check_csv_compat(result: Path, rules: Mapping[str, Records]) -> float:
    """A byte order mark belongs to the first column's name."""
    return _score_records(result.read_text(encoding="utf-8"), rules)


@scores_0_on(csv.Error, UnicodeDecodeError, IndexError)
def compare_time_in_speedtest_results(result: Path, minutes: int | str) -> float:
    """1 when the second line's second value ends in a time of day less than `minutes` from now."""
    time = _time(list(csv.reader(io.StringIO(result.read_text(encoding="utf-8-sig"))))[1][1])
    if time is None:
        return 0.0
    return float(apart(time, _now()) < int(minutes))


def apart(first: int, second: int) -> int:
    """Minutes between two times of day, over midnight where that is nearer."""
    between = abs(first - second)
    return min(between, MINUTES_A_DAY - between)


def _now() -> int:
    now = datetime.datetime.now()
    return now.hour * 60 + now.minute


def compare_time_in_speedtest_results_compat(result: Path, minutes: int | str) -> float:
    """Before and after midnight are a day apart."""
    lines = result.read_text(encoding="utf-8").split("\n")
    cells = lines[1].split(",") if len(lines) > 1 else []
    time = _time(cells[1]) if len(cells) > 1 else None
    return float(time is not None and abs(time - _now()) < int(minutes))


def decode_text(path: Path) -> str:
    """UTF-8, or else Latin-1, which any file is."""
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decode_text_compat(path: Path) -> str:
    """With a byte order mark, where there is one."""
    mark = "\ufeff" if path.read_bytes().startswith(b"\xef\xbb\xbf") else ""
    return mark + decode_text(path)


def _rows(path: Path, strict: bool, ignore_case: bool) -> list[list[str]]:
    lines = _lines(decode_text(path), strict, ignore_case)
    return list(csv.reader(io.StringIO("\n".join(lines))))


def _lines(text: str, strict: bool, ignore_case: bool) -> list[str]:
    lines = text.splitlines()
    if not strict:
        lines = [line.strip() for line in lines]
    return [line.lower() for line in lines] if ignore_case else lines


def _as_list(expected: Path | Sequence[Path]) -> Sequence[Path]:
    return [expected] if isinstance(expected, Path) else expected


def _score_records(text: str, rules: Mapping[str, Records]) -> float:
    rows = list(csv.DictReader(io.StringIO(text)))

    def there(record: Mapping[str, str]) -> bool:
        return any(
            all(name in row and row[name] == value for name, value in record.items())
            for row in rows
        )

    return float(
        all(there(record) for record in rules.get("expect", ()))
        and not any(there(record) for record in rules.get("unexpect", ()))
    )


def _time(text: str) -> int | None:
    """Minutes since midnight of the time of day that the text ends with."""
    try:
        read = datetime.datetime.strptime(text.rstrip("\n")[-5:], "%H:%M")
    except ValueError:
        return None
    return read.hour * 60 + read.minute
