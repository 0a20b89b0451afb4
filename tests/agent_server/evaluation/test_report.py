"""The report is one file, complete, and what pages said stays text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from recorded_evaluation import CLICK, End, record, task

from agent_server.evaluation.plan import Asked, NotRun
from agent_server.evaluation.report import write_report
from agent_server.evaluation.results import read_trials
from agent_server.evaluation.summary import summarize
from envs.actions import Batch, Click, Drag, SetValue, Space, Target
from envs.outcomes import EndReason

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
    left_out = NotRun(id="f1", domain="files", reasons=("needs <internet>",))
    asked = Asked(policy="oracle", controls=True)
    evaluation = record(tmp_path / "run", asked, TASKS, ENDS, [left_out])
    trials = read_trials(tmp_path / "run", evaluation)
    path = tmp_path / "report.html"
    write_report(path, tmp_path / "run", summarize(evaluation, trials), trials)
    assert [one.name for one in tmp_path.iterdir()] in (["run", path.name], [path.name, "run"])
    return path.read_text()


def data(page: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


def test_it_names_rate_controls_and_what_is_not_in_the_denominator(page: str) -> None:
    assert "success 50.0%" in page
    assert "noop: 0.0%  n=2" in page
    assert "counted as not solved the rate is 33.3%" in page
    assert "needs &lt;internet&gt;" in page
    assert page.count("<svg") >= 4
    assert not re.search(r"""(src|href)=["']?(https?:|//)""", page), "it needs no network"


def test_failures_come_first_and_every_trial_is_there(page: str) -> None:
    trials = data(page, "trials")
    assert [(one["policy"], one["task"]) for one in trials] == [
        ("oracle", "m2"), ("oracle", "m1"), ("noop", "m1"), ("noop", "m2"), ("infeasible", "m1"),
        ("infeasible", "m2"),
    ]  # fmt: skip
    assert trials[0]["reason"] == "did the same over and over"


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
