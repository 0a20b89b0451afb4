"""Results of OSWorld become prompts and answers of ours, each on the picture that was seen."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

from agent_server.evaluation.export.osworld import export_osworld
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import read_trials
from envs.contract.actions import Click, Target, Type, Wait
from envs.dialects.pictures import fit_to_size
from envs.dialects.view import View
from tests.agent_server.evaluation.recorded_evaluation import End, record, task
from trainer.commands import register
from trainer.osworld_results import import_osworld
from trainer.phases.chat_examples import read_examples
from trainer.tiny_models import make_tiny_model
from trainer.trajectory_examples import ImportRefused

UITARS = View(observe="picture", dialect="uitars")
FENCED = "The menu is there.\n```python\npyautogui.click(100, 50)\n```"


def write_result(
    folder: Path, lines: list[dict[str, Any]], score: str | None = "1.0", instruction: str = ""
) -> None:
    """As OSWorld's runners leave it: no instruction, no picture of the first step."""
    folder.mkdir(parents=True)
    (folder / "traj.jsonl").write_bytes(b"\n".join(map(orjson.dumps, lines)))
    for number, line in enumerate(lines, 1):
        name = line.get("screenshot_file")
        if name:
            Image.new("RGB", (200, 100), (number, 0, 0)).save(folder / name)
    if score is not None:
        (folder / "result.txt").write_text(score)
    tasks = folder.parents[1] / "tasks" / "examples" / folder.parent.name
    tasks.mkdir(parents=True, exist_ok=True)
    (tasks / f"{folder.name}.json").write_bytes(
        orjson.dumps({"id": folder.name, "instruction": instruction or f"Do {folder.name}"})
    )


def line(number: int, action: Any, response: Any = None, after: str = "") -> dict[str, Any]:
    name = f"step_{number}_2026{after}.png"
    return {
        "step_num": number,
        "action": action,
        "response": response,
        "reward": 0,
        "screenshot_file": name,
    }


def run(folder: Path, **options: Any) -> Any:
    fit = partial(fit_to_size, size=(100, 50))
    options = {"tasks": folder / "tasks"} | options
    counts = asyncio.run(import_osworld(folder, folder / "out", UITARS, fit, **options))
    written = (folder / "out/chat.jsonl").read_bytes().splitlines()
    return counts, [orjson.loads(text) for text in written]


def shade(folder: Path, row: dict[str, Any]) -> Any:
    with Image.open(folder / "out" / row["images"][-1]) as picture:
        return picture.convert("RGB").getpixel((0, 0))


def test_a_step_is_learnt_on_the_picture_after_the_step_before(tmp_path: Path) -> None:
    lines = [
        line(1, "pyautogui.click(100, 50)", FENCED),
        # Two actions of one answer: the second one's picture is what the third step saw.
        line(2, "pyautogui.write('12')", "x", "a"),
        line(2, {"action_type": "PRESS", "parameters": {"key": "enter"}}, "x", "b"),
        line(3, "DONE"),
    ]
    write_result(tmp_path / "os" / "t1", lines, instruction="Sort the table")
    counts, rows = run(tmp_path)
    assert (counts.examples, counts.tasks) == (2, 1)
    assert dict(counts.left_out) == {"first steps, of which no picture was kept": 1}
    click = "Action: click(start_box='(500,500)')"
    second, third = ([message["content"] for message in row["messages"]] for row in rows)
    assert second[0] == f"task: Sort the table\ndid: {click}"
    assert second[1] == "Action: type(content='12')\nhotkey(key='enter')"
    assert third[1] == "Action: finished()"
    assert [shade(tmp_path, row) for row in rows] == [(1, 0, 0), (3, 0, 0)]
    assert read_examples((str(tmp_path / "out/chat.jsonl"),))[1].answer == "Action: finished()"


def test_only_what_was_scored_highly_enough_is_imitated(tmp_path: Path) -> None:
    ends = [line(1, "WAIT"), line(2, "DONE")]
    write_result(tmp_path / "os" / "good", ends)
    write_result(tmp_path / "os" / "half", ends, "0.5\n")
    write_result(tmp_path / "os" / "lost", ends, None)
    counts, rows = run(tmp_path)
    assert {row["task"] for row in rows} == {"good"}
    assert counts.left_out["tasks below min_score"] == counts.left_out["tasks without a score"] == 1
    assert {row["task"] for row in run(tmp_path, min_score=0.5)[1]} == {"good", "half"}
    (tmp_path / "os/half/result.txt").write_text("__import__('os')")
    with pytest.raises(ImportRefused, match=r"result\.txt holds no score"):
        run(tmp_path)


def test_what_cannot_be_said_is_left_out_and_counted(tmp_path: Path) -> None:
    lines = [line(1, "WAIT"), line(2, "import os; os.system('x')"), line(3, "DONE")]
    write_result(tmp_path / "os" / "t1", lines)
    counts, rows = run(tmp_path)
    assert [row["messages"][1]["content"] for row in rows] == ["Action: finished()"]
    assert any("cannot import os" in reason for reason in counts.left_out)


def test_targets_that_no_picture_has_are_left_out(tmp_path: Path) -> None:
    lines = [
        line(1, "WAIT"),
        line(2, {"type": "click", "target": {"ref": 3}}),
        line(3, {"type": "click", "target": {"x": 500, "y": 500, "space": "norm1000"}}),
        line(4, {"type": "click", "target": {"x": 4000, "y": 10}}),
    ]
    write_result(tmp_path / "os" / "t1", lines)
    counts, rows = run(tmp_path)
    answers = [row["messages"][1]["content"] for row in rows]
    assert answers == ["Action: click(start_box='(500,500)')"]
    for reason in ("an action on an element, not on a point", "a point outside of the screen"):
        assert counts.left_out[f"steps that the dialect cannot say: {reason}"] == 1


def test_a_step_without_the_picture_before_it_is_left_out(tmp_path: Path) -> None:
    corners = [{"x": 0, "y": 0}, {"x": 50, "y": 50}]
    lines = [
        line(1, "WAIT"),
        {**line(2, "WAIT"), "screenshot_file": None},
        line(3, "pyautogui.write('seen by nobody')"),
        line(4, {"type": "zoom", "corners": corners}),
        line(5, "pyautogui.write('seen in part')"),
        line(6, "DONE"),
    ]
    write_result(tmp_path / "os" / "t1", lines)
    counts, rows = run(tmp_path)
    assert counts.left_out["steps whose screen no picture shows as it was"] == 2
    assert "Action: finished()" in [row["messages"][1]["content"] for row in rows]
    assert not any("seen" in row["messages"][1]["content"] for row in rows)


def test_folders_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=r"there is no traj\.jsonl below"):
        run(tmp_path)
    write_result(tmp_path / "os" / "t1", [line(1, "WAIT"), line(2, "DONE")])
    with pytest.raises(ImportRefused, match=r"says no instruction: .*one of which is t1\.json"):
        run(tmp_path, tasks=None)
    (tmp_path / "os/t1/traj.jsonl").write_text('{"step_num": 1}\nnonsense\n')
    with pytest.raises(ImportRefused, match=r"traj\.jsonl, line 2: "):
        run(tmp_path)


def test_what_we_export_is_read_back_whole(tmp_path: Path) -> None:
    at = Target(x=32, y=12)
    actions = (Click(target=at), Type(text="ab"), Wait(ms=5000))
    tasks = [("mail", task("m1")), ("files", task("f1")), ("files", task("kept", split="test"))]
    ends = {
        ("oracle", "m1", 0): End(pictures=True, actions=actions),
        ("oracle", "f1", 0): End(pictures=True, score=0.0),
        ("oracle", "kept", 0): End(pictures=True),
    }
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), tasks, ends)
    trials = read_trials(tmp_path / "run", evaluation)
    list(export_osworld(tmp_path / "results", tmp_path / "run", evaluation, trials))
    (tmp_path / "results" / "out").mkdir()
    counts, rows = run(tmp_path / "results", tasks=None)
    assert [row["messages"][1]["content"] for row in rows] == [
        "Action: click(start_box='(500,250)')",
        "Action: type(content='ab')",
        "Action: wait()",
        "Action: finished()",
    ]
    assert rows[0]["messages"][0]["content"] == "task: Do <b>m1</b>."
    assert counts.left_out["tasks below min_score"] == 1
    assert counts.left_out["tasks of the dev and test splits: they measure policies"] == 1


def test_the_command_says_what_it_wrote(tmp_path: Path) -> None:
    write_result(tmp_path / "os" / "t1", [line(1, "WAIT"), line(2, "DONE")])
    make_tiny_model("qwen3-vl", tmp_path / "model")
    folders = {"--model": "model", "--to": "out", "--tasks": "tasks"}
    chosen = [part for key, name in folders.items() for part in (key, str(tmp_path / name))]
    app = typer.Typer()
    register(app)
    result = CliRunner().invoke(app, ["import-osworld", str(tmp_path / "os"), *chosen])
    assert result.exit_code == 0, result.output
    assert "wrote 1 examples of 1 tasks" in result.output
