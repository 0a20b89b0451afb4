"""The judge's process: scores, or the first metric that failed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envs.osworld.outside.judge_messages import Call, Limits
from envs.osworld.outside.judge_process import run_metrics, score
from envs.state.evidence import Data, Measure


def call(folder: Path, *measures: Measure, compat: bool = False) -> Call:
    return Call(measures=list(measures), folder=folder, compat=compat, limits=Limits())


def measure(func: str, result: Any, expected: Any, **options: Any) -> Measure:
    return Measure(
        func=func, result=Data(value=result), expected=Data(value=expected), options=options
    )


def test_scores_in_the_order_of_the_call(tmp_path: Path) -> None:
    yes = measure("exact_match", 3, {"expected": 3})
    no = measure("exact_match", 4, {"expected": 3})
    reply = run_metrics(call(tmp_path, yes, no, yes))
    assert (reply.scores, reply.error) == ([1.0, 0.0, 1.0], None)


def test_the_first_error_ends_the_call(tmp_path: Path) -> None:
    wrong = measure("exact_match", 3, {"no": "rules"})
    reply = run_metrics(call(tmp_path, wrong, measure("none", 1, 1)))
    assert (reply.func, reply.error) == ("exact_match", "KeyError: 'expected'")


def test_an_unknown_metric(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="there is no such metric"):
        score(measure("no_such_metric", 1, 1), call(tmp_path))


def test_compat_scores_as_osworld_does(tmp_path: Path) -> None:
    same_lists = measure("check_direct_json_object", {"a": [1, 2]},
                         {"expected": {"a": [2, 1]}, "ignore_list_order": True})  # fmt: skip
    assert score(same_lists, call(tmp_path)) == 1
    assert score(same_lists, call(tmp_path, compat=True)) == 0
