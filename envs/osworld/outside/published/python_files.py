"""OSWorld's metrics of Python programs.

Guarantees: no line of a task's tests or of the agent's program runs in this process. They run in a
child, in a folder of its own, with limits of time, memory and size of files. Nothing is assumed of
its network, which is this process's, nor of files outside its folder: they need a sandbox around
all of this. The program runs beside its tests, so one that is made for it can claim any score.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from envs.osworld.outside.published.error_policy import Unreadable, read_text, unreadable_scores_0

SUITE_S = 20
SUITE_MEMORY = 2 * 1024**3
SUITE_FILE = 64 * 1024**2
RUNNER = Path(__file__).with_name("suite_runner.py")


def check_python_file_by_test_suite(
    result: Path | Sequence[Path], expected: Path, **options: Any
) -> float:
    """What the function `test_function_name` ("test") of the test file returns, from 0 to 1, beside
    copies of the result's files. Whatever fails or takes more than SUITE_S seconds scores 0."""
    files = [result] if isinstance(result, Path) else list(result)
    with tempfile.TemporaryDirectory(prefix="suite-") as scratch:
        # A file of the agent's never takes the place of the tests.
        for file in [*files, expected]:
            shutil.copyfile(file, Path(scratch, file.name))
        score = Path(scratch, ".score")
        limits = [str(SUITE_S), str(SUITE_MEMORY), str(SUITE_FILE)]
        function = str(options.get("test_function_name", "test"))
        _run([str(RUNNER), str(score), expected.name, function, *limits], Path(scratch))
        return _score(score)


@unreadable_scores_0
def check_python_file_by_gold_file(
    result: Path | Sequence[Path], expected: Path, **options: Any
) -> float:
    """1 when both are the same program but for comments and spacing. No task uses it."""
    (file,) = [result] if isinstance(result, Path) else list(result)
    return float(_program(file) == _program(expected))


def check_python_file_by_gold_file_compat(
    result: Path | Sequence[Path], expected: Path, **options: Any
) -> float:
    """Never looks at a file."""
    return 0.0


def _run(arguments: list[str], folder: Path) -> None:
    """Kills what is left of the child's process group."""
    # Games draw and play nowhere.
    silent = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    home = {"HOME": str(folder), "TMPDIR": str(folder), "PATH": os.defpath}
    child = subprocess.Popen(
        [sys.executable, "-I", "-B", *arguments],
        cwd=folder,
        env=silent | home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )
    try:
        child.wait(SUITE_S)
    except subprocess.TimeoutExpired:
        return
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _score(path: Path) -> float:
    try:
        score = json.loads(path.read_bytes()[:100])
    except (OSError, ValueError):
        return 0.0
    return score if isinstance(score, float) and 0 <= score <= 1 else 0.0


def _program(path: Path) -> str:
    try:
        return ast.dump(ast.parse(read_text(path)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(str(error)) from error
