"""A recorded episode can be looked at, and what pages said stays text."""

from __future__ import annotations

import base64
import io
from html import escape
from pathlib import Path

import pytest
from rich.console import Console

from agent_server.cli.replay import load, print_trajectory, render_html
from agent_server.episodes.trajectory import Completion, EpisodeResult, Step, Trajectory
from agent_server.store.artifacts import Artifacts, Recorder
from envs.contract.actions import ActionError, ActionResult
from envs.contract.observations import Screenshot
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict
from tests.agent_server.toy_env import PIXEL

HOSTILE = "<script>alert(1)</script> [bold]no[/bold]"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "episodes" / "e1"
    folder.mkdir(parents=True)
    steps = [
        Step(
            index=index,
            prompt=f"task: x\n{HOSTILE}",
            completion=Completion(text=f"look\nclick {HOSTILE}"),
            result=result,
            tree=HOSTILE,
            screenshot="000.jpeg" if index == 0 else None,
        )
        for index, result in enumerate(
            [ActionResult.success(), ActionResult.failure(ActionError.MALFORMED, HOSTILE)]
        )
    ]
    (folder / "steps.jsonl").write_text("".join(f"{step.model_dump_json()}\n" for step in steps))
    (folder / "summary.json").write_text('{"status": "scored", "score": 0.5, "task": {}}')
    (folder / "000.jpeg").write_bytes(PIXEL)
    return tmp_path


def test_an_episode_is_read_back_and_an_unknown_one_is_named(run: Path) -> None:
    trajectory: Trajectory = load(run, "e1")
    assert [step.index for step in trajectory.steps] == [0, 1]
    with pytest.raises(KeyError, match="e2"):
        load(run, "e2")


def test_the_page_shows_text_as_text_and_pictures_within(run: Path) -> None:
    page = render_html(run, load(run, "e1"))
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert page.count("data:image/jpeg;base64,") == 1


def test_the_terminal_shows_steps_with_what_became_of_them(run: Path) -> None:
    out = io.StringIO()
    print_trajectory(Console(file=out, width=200), load(run, "e1"))
    shown = out.getvalue()
    assert HOSTILE in shown, "markup of a page is not markup of the terminal"
    assert "malformed" in shown
    assert "score 0.5" in shown


@pytest.mark.parametrize("hostile", [HOSTILE, "[/b]", "[link=file:///x]here[/link]", "a & b"])
def test_an_episode_as_a_worker_records_it_is_shown_word_for_word(
    tmp_path: Path, hostile: str
) -> None:
    with Recorder(Artifacts(str(tmp_path)), "e1") as recorder:
        data = base64.b64encode(PIXEL).decode()
        name = recorder.save_screenshot(0, Screenshot(format="jpeg", width=1, height=1, data=data))
        recorder.record_step(
            Step(
                index=0,
                prompt=hostile,
                completion=Completion(text=hostile),
                result=ActionResult.failure(ActionError.MALFORMED, hostile),
                url=f"http://127.0.0.1/{hostile}",
                tree=hostile,
                screenshot=name,
            )
        )
        verdict = Verdict(score=0.25)
        result = EpisodeResult(Status.SCORED, EndReason.DONE, verdict=verdict, steps=1)
        recorder.finish(result, {"task": {"instruction": f"buy {hostile}"}})
    trajectory = load(tmp_path, "e1")
    out = io.StringIO()
    print_trajectory(Console(file=out, width=200), trajectory)
    shown = out.getvalue()
    assert f"buy {hostile}\n" in shown
    assert f"http://127.0.0.1/{hostile}" in shown
    assert shown.count(hostile) == 5
    assert "scored done score 0.25" in shown
    page = render_html(tmp_path, trajectory)
    assert f"<h1>buy {escape(hostile)}</h1>" in page
    assert page.count(escape(hostile)) == 5
    assert "<script" not in page
    assert base64.b64encode(PIXEL).decode() in page
