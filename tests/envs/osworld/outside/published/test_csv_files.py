"""Metrics of CSV files compare values."""

from __future__ import annotations

import datetime
from pathlib import Path

from envs.osworld.outside.published.csv_files import (
    apart,
    check_csv,
    check_csv_compat,
    compare_csv,
    compare_time_in_speedtest_results,
)

NO_TEXT = b"\xff\xfe\x00"


def file(folder: Path, content: str | bytes, name: str = "a") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_csv_compares_values(tmp_path: Path) -> None:
    gold = file(tmp_path, "Name,Price\nTea,2.50\n", "gold")
    assert compare_csv(file(tmp_path, '\ufeff"Name","Price"\r\n"Tea",2.50'), gold) == 1
    assert compare_csv(file(tmp_path, "Name,Price\nTea,2.5\n"), gold) == 0
    assert compare_csv(file(tmp_path, "NAME,PRICE\nTEA,2.50\n"), gold, ignore_case=True) == 1
    assert compare_csv(file(tmp_path, "Name,Price \nTea,2.50\n"), [gold], strict=False) == 1
    assert compare_csv(file(tmp_path, NO_TEXT), gold) == 0


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path: Path) -> None:
    path, rules = file(tmp_path, "\ufeffurl,user\na,b\n"), {"expect": [{"url": "a"}]}
    assert check_csv(path, rules) == 1
    assert check_csv_compat(path, rules) == 0
    assert check_csv(path, {"unexpect": [{"user": "b"}]}) == 0
    assert check_csv(file(tmp_path, NO_TEXT), {}) == 0


def test_a_time_of_day_near_now(tmp_path: Path) -> None:
    now = datetime.datetime.now()
    half_a_day = now + datetime.timedelta(hours=12)
    near, far = (f"Server,Date\nx,2024-01-01 {time:%H:%M}\n" for time in (now, half_a_day))
    assert compare_time_in_speedtest_results(file(tmp_path, near), "10") == 1
    assert compare_time_in_speedtest_results(file(tmp_path, far), "10") == 0
    assert compare_time_in_speedtest_results(file(tmp_path, "Server,Date\n"), "10") == 0
    assert compare_time_in_speedtest_results(file(tmp_path, "a\nx,soon\n"), "10") == 0


def test_midnight_is_no_day_long() -> None:
    assert apart(23 * 60 + 59, 1) == 2
    assert apart(0, 12 * 60) == 720
