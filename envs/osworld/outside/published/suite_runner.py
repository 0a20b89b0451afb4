"""Runs one function of a test file; a program of its own, started by `python_files`.

    python suite_runner.py SCORE TEST_FILE FUNCTION SECONDS MEMORY FILE_SIZE

Writes what the function returns, as a number from 0 to 1, to SCORE; nothing if it fails.
"""

from __future__ import annotations

import importlib.util
import json
import resource
import sys
from pathlib import Path
from typing import Any


def run_function(test_file: Path, function: str) -> Any:
    """Imports the test file and calls the function."""
    sys.path.insert(0, str(test_file.parent))
    spec = importlib.util.spec_from_file_location("tests_of_the_task", test_file)
    if spec is None or spec.loader is None:
        raise ImportError(test_file.name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return getattr(module, function)()


def as_score(value: Any) -> float:
    """Numbers from 0 to 1; of anything else, whether it is true."""
    return (
        max(0.0, min(1.0, float(value))) if isinstance(value, int | float) else float(bool(value))
    )


def main(score: Path, test_file: Path, function: str, *limits: str) -> None:
    """Limits this process, runs the function, writes the score."""
    kinds = (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE)
    for kind, limit in zip(kinds, map(int, limits), strict=True):
        # A limit that this process has already stays, if it is lower.
        highest = resource.getrlimit(kind)[1]
        least = limit if highest == resource.RLIM_INFINITY else min(limit, highest)
        resource.setrlimit(kind, (least, least))
    score.write_text(json.dumps(as_score(run_function(test_file.resolve(), function))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
