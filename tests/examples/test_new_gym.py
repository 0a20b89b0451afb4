"""The example of a gym holds under the verifier matrix."""

from __future__ import annotations

import ast

import pytest

from tests.examples.example_process import run_example

CHECKS = ("oracle", "same", "double", "no-op", "over", "forged", "phrasings")
"""Those that apply: the gym has no site tools, asks nothing and refuses nothing."""


@pytest.mark.browser
@pytest.mark.timeout(200)
def test_its_task_is_solved_by_its_oracle_and_by_nothing_else() -> None:
    task, checks = run_example("new_gym").strip().splitlines()
    assert task.startswith("a task: ")
    assert ast.literal_eval(checks[checks.index("{") :]) == dict.fromkeys(CHECKS, 3)
