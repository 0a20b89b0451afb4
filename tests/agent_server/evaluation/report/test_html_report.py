"""The report is one file, complete, and what pages said stays text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agent_server.evaluation.figures.summary import summarize
from agent_server.evaluation.job.plan import EvalSpec, UnsupportedTask
from agent_server.evaluation.job.results import read_trials
from agent_server.evaluation.report.html_report import write_report
from envs.contract.actions import Batch, Click, Drag, SetValue, Space, Target
from envs.contract.outcomes import EndReason
from tests.agent_server.evaluation.recorded_evaluation import CLICK, End, record, task

TASKS = [("mail", task("m1")), ("mail", task("m2")), ("files", task("f1"))]
DRAG = Drag(path=(Target(x=0.1, y=0.2, space=Space.NORM1), Target(x=5, y=6)))
FILL = SetValue(target=Target(ref=1), value="x")
ENDS = {
    ("oracle", "m1", 0): End(pictures=True),
    ("oracle", "m2", 0): End(
        score=0, reason=EndReason.LOOP, actions=(Batch(actions=(DRAG, CLICK)), Click(), FILL)
    ),
    ("noop", "m1", 0): End(score=0, actions=()),
}


@pytest.fixture
def page(tmp_path: Path) -> str:
    left_out = UnsupportedTask(id="f1", domain="files", reasons=("needs <internet>",))
    spec = EvalSpec(policy="oracle", controls=True)
    evaluation = record(tmp_path / "run", spec, TASKS, ENDS, [left_out])
    trials = read_trials(tmp_path / "run", evaluation)
    path = tmp_path / "report.html"
    write_report(path, tmp_path / "run", summarize(evaluation, trials), trials)
    assert [trial.name for trial in tmp_path.iterdir()] in (["run", path.name], [path.name, "run"])
    return path.read_text()


def data(page: str, name: str) -> Any:
    match = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page)
    assert match is not None
    return json.loads(match[1])


def test_it_names_rate_controls_and_what_is_not_in_the_denominator(page: str) -> None:
    assert "success 50.0%" in page
    assert "noop: 0.0%  n=2" in page
    assert "counted as not solved the rate is 33.3%" in page
    assert "needs &lt;internet&gt;" in page
    assert page.count("<svg") >= 4
    assert not re.search(r"""(src|href)=["']?(https?:|//)""", page), "it needs no network"


def test_failures_come_first_and_every_trial_is_there(page: str) -> None:
    trials = data(page, "trials")
    assert [(trial["policy"], trial["task"]) for trial in trials] == [
        ("oracle", "m2"), ("oracle", "m1"), ("noop", "m1"), ("noop", "m2"), ("infeasible", "m1"),
        ("infeasible", "m2"),
    ]  # fmt: skip
    assert trials[0]["reason"] == "repeated the same action"


def test_steps_carry_what_is_drawn_on_the_picture(page: str) -> None:
    looped = data(page, "t0")
    assert looped[0]["marks"] == [
        [{"x": 0.1, "y": 0.2, "space": "norm1"}, {"x": 5, "y": 6, "space": "px"}],
        [{"x": 30, "y": 20, "space": "px"}],
    ]
    assert looped[1]["marks"] == []
    assert looped[2]["marks"] == [[{"x": 7, "y": 8.5, "space": "px"}]], "where the host found it"
    solved = data(page, "t1")
    assert solved[0]["picture"].startswith("data:image/jpeg;base64,")
    assert solved[0]["wrote"] == "so\nact"
    assert solved[0]["timings"]["policy"] == 100


def test_what_a_page_said_cannot_end_the_script(page: str) -> None:
    assert data(page, "t0")[0]["saw"] == "task: </script><b>"
    assert "</script><b>" not in page
    assert "<b>m1</b>" not in page
