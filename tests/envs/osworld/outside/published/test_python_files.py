"""Programs are judged by their tests, in a process of their own."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from envs.osworld.outside.published import python_files
from envs.osworld.outside.published.python_files import (
    check_python_file_by_gold_file,
    check_python_file_by_gold_file_compat,
    check_python_file_by_test_suite,
)


def _score(folder: Path, program: str, test: str, **options: str) -> float:
    """The program and its tests lie in folders of their own."""
    files = [folder / "result" / "food.py", folder / "gold" / "suite.py"]
    for file, text in zip(files, (program, test), strict=True):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return check_python_file_by_test_suite([files[0]], files[1], **options)


@pytest.mark.parametrize(
    ("program", "score"),
    [
        ("x = True", 1),
        ("x = False", 0),
        ("x = 0.25", 0.25),
        ("x = 7", 1),
        ("x = -1", 0),
        ("x = [0]", 1),
        ("x = None", 0),
        ("x =", 0),
        ("raise SystemExit", 0),
        ("import os; os._exit(0)", 0),
    ],
)
def test_the_score_is_what_the_tests_return(tmp_path: Path, program: str, score: float) -> None:
    assert _score(tmp_path, program, "from food import x\ndef test(): return x") == score


def test_the_function_has_a_name(tmp_path: Path) -> None:
    test = "def check(): return True"
    assert _score(tmp_path, "", test, test_function_name="check") == 1
    assert _score(tmp_path, "", test) == 0


def test_a_second_program_is_not_scored_as_the_first(tmp_path: Path) -> None:
    test = "from food import x\ndef test(): return x"
    assert [_score(tmp_path, f"x = {value}", test) for value in (1, 0)] == [1, 0]


def test_the_program_runs_elsewhere_and_leaves_nothing(tmp_path: Path) -> None:
    program = "import os\nopen('left', 'w')\nx = os.getpid(), os.getcwd(), dict(os.environ)"
    test = f"""from food import x
def test():
    pid, folder, names = x
    return pid != {os.getpid()} and folder != {str(Path.cwd())!r} and names["HOME"] == folder"""
    assert _score(tmp_path, program, test) == 1
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["food.py", "suite.py"]


def test_a_program_cannot_take_the_place_of_its_tests(tmp_path: Path) -> None:
    mine = tmp_path / "suite.py"
    mine.write_text("def test(): return True")
    gold = tmp_path / "gold" / "suite.py"
    gold.parent.mkdir()
    gold.write_text("def test(): return False")
    assert check_python_file_by_test_suite([mine], gold) == 0


def test_a_program_that_does_not_end_scores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python_files, "SUITE_S", 1)
    started = time.monotonic()
    test = "import food\ndef test(): return True"
    sleeper = "import subprocess, time\nsubprocess.Popen(['sleep', '60'])\ntime.sleep(60)"
    assert _score(tmp_path, sleeper, test) == 0
    assert _score(tmp_path, "while True: pass", test) == 0
    assert time.monotonic() - started < 10


def test_a_program_that_wants_all_memory_scores_nothing(tmp_path: Path) -> None:
    test = "import food\ndef test(): return True"
    assert _score(tmp_path, "x = bytearray(4 * 1024**3)", test) == 0
    assert _score(tmp_path, "open('big', 'wb').truncate(1024**3)", test) == 0


def test_programs_are_compared_as_programs(tmp_path: Path) -> None:
    first, other = tmp_path / "one.py", tmp_path / "other.py"
    first.write_text("x = 1\n")
    for text, score in (("x=1  # one", 1), ("x = 2", 0), ("x =", 0)):
        other.write_text(text)
        assert check_python_file_by_gold_file(other, first) == score
    assert check_python_file_by_gold_file_compat(first, first) == 0
