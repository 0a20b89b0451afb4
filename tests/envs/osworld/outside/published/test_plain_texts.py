"""Metrics of text files."""

from __future__ import annotations

from pathlib import Path

from envs.osworld.outside.published.plain_texts import (
    check_line_number,
    check_list,
    compare_python_pure_text,
    compare_terminal_and_txt,
    diff_text_file,
    file_contains,
)

NO_TEXT = b"\xff\xfe\x00"


def file(folder: Path, content: str | bytes, name: str = "a") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_lines_of_a_list(tmp_path: Path) -> None:
    path = file(tmp_path, "openjdk-17-jre\nCOMPANY\n")
    assert check_list(path, {"expect": [r"jdk-\d+"], "unexpect": ["UNI"]}) == 1
    assert check_list(path, {"expect": [r"jdk-\d+$"]}) == 0
    assert check_list(path, {"unexpect": [".+"]}) == 0
    assert check_list(file(tmp_path, NO_TEXT), {}) == 0


def test_text_files(tmp_path: Path) -> None:
    path, broken = file(tmp_path, "a\nb\n"), file(tmp_path, NO_TEXT, "b")
    assert diff_text_file(path, path) == 1
    assert diff_text_file(file(tmp_path, "a\nc\n", "c"), path) == 0.5
    assert file_contains(path, {"expected": ["a", "b"]}) == 1
    assert file_contains(path, {"expected": ["a", "x"]}) == 0
    assert compare_terminal_and_txt(path, "a\nb\n") == 1
    assert compare_terminal_and_txt(path, "a\nb") == 0
    timed = file(tmp_path, "10:00:00 1\n10:00:01 2\nAverage\n", "d")
    assert check_line_number(timed, {"expected": "2"}) == 1
    assert check_line_number(timed, {"expected": "3"}) == 0
    assert diff_text_file(broken, path) == 0
    assert file_contains(broken, {"expected": []}) == 0
    assert check_line_number(broken, {"expected": 0}) == 0
    assert compare_terminal_and_txt(broken, "a") == 0


def test_sources(tmp_path: Path) -> None:
    gold = file(tmp_path, "import os\n\nif os:\n    pass\n", "gold")
    same = file(tmp_path, "#!/usr/bin/python\nimport os\nif os:\n\tpass  \n")
    assert compare_python_pure_text(same, gold) == 1
    assert compare_python_pure_text(file(tmp_path, "import os\nif os:\n  pass\n"), gold) == 0
    assert compare_python_pure_text(file(tmp_path, NO_TEXT), gold) == 0
