"""Trajectories of others become prompts and answers of ours, filtered by what judges said."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest
from PIL import Image

from envs.contract.actions import Click, Done, Drag, Infeasible, Key, Target, Type, Wait
from envs.dialects.dialect import Refused
from envs.dialects.pictures import fit_to_size
from envs.dialects.view import View
from trainer.agentnet import import_agentnet, read_code
from trainer.phases.chat_examples import read_examples
from trainer.trajectory_examples import ImportRefused

UITARS = View(observe="picture", dialect="uitars")


def make_step(code: str, thought: str = "", image: str = "a.png", **flags: Any) -> dict[str, Any]:
    return {"image": image, "value": {"code": code, "thought": thought, **flags}}


def make_line(steps: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    own = {"task_id": "t1", "instruction": "Sort the table", "task_completed": True, "traj": steps}
    return own | fields


def run(folder: Path, lines: list[dict[str, Any]], view: View = UITARS, **options: Any) -> Any:
    for name, shade in (("a.png", 0), ("b.png", 9)):
        Image.new("RGB", (200, 100), (shade, 0, 0)).save(folder / name)
    file = folder / "lines.jsonl"
    file.write_bytes(b"\n".join(map(orjson.dumps, lines)))
    fit = partial(fit_to_size, size=(100, 50))
    counts = asyncio.run(import_agentnet(file, folder, folder / "out", view, fit, **options))
    written = (folder / "out/chat.jsonl").read_bytes().splitlines()
    return counts, [orjson.loads(text) for text in written]


def test_steps_become_what_the_policy_will_read_and_write(tmp_path: Path) -> None:
    steps = [
        make_step("pyautogui.click(x=0.25, y=0.5)", "The column is there."),
        make_step("pyautogui.write('12')", image="b.png", last_step_correct=True),
        make_step("computer.terminate(status='success')", "Sorted."),
    ]
    counts, rows = run(tmp_path, [make_line(steps)])
    assert (counts.examples, counts.tasks, dict(counts.left_out)) == (3, 1, {})
    click = "Action: click(start_box='(250,500)')"
    assert [[message["content"] for message in row["messages"]] for row in rows] == [
        ["task: Sort the table", f"Thought: The column is there.\n{click}"],
        [f"task: Sort the table\ndid: {click}", "Action: type(content='12')"],
        [
            f"task: Sort the table\ndid: {click}\ndid: Action: type(content='12')",
            "Thought: Sorted.\nAction: finished()",
        ],
    ]
    assert rows[0]["images"] == rows[2]["images"] != rows[1]["images"]
    with Image.open(tmp_path / "out" / rows[0]["images"][0]) as picture:
        assert picture.size == (100, 50)
    examples = read_examples((str(tmp_path / "out/chat.jsonl"),))
    assert [example.answer for example in examples][1] == "Action: type(content='12')"


def test_only_what_judges_call_right_is_imitated(tmp_path: Path) -> None:
    lines = [
        make_line([make_step("pyautogui.press('enter')")], task_completed=False),
        make_line([make_step("pyautogui.press('enter')")], alignment_score=4),
        make_line(
            [
                make_step("pyautogui.press('tab')", last_step_correct=False),
                make_step("pyautogui.press('esc')", last_step_redundant=True),
                make_step("pyautogui.press('enter')"),
            ],
            alignment_score=9,
        ),
    ]
    counts, (row,) = run(tmp_path, lines, min_alignment=7)
    assert (counts.examples, counts.tasks) == (1, 1)
    assert dict(counts.left_out) == {
        "steps of tasks that no judge calls completed": 1,
        "steps of tasks below min_alignment": 1,
        "steps that the reflector calls wrong or redundant": 2,
    }
    prompt = row["messages"][0]["content"]
    assert "tab" in prompt
    assert "escape" in prompt, "they are in the history all the same"


def test_what_cannot_be_said_is_left_out_and_counted(tmp_path: Path) -> None:
    steps = [make_step("for i in range(3): pyautogui.press('a')"), make_step("computer.wait()")]
    counts, rows = run(tmp_path, [make_line(steps)])
    assert len(rows) == 1
    assert sum(counts.left_out.values()) == 1
    assert "no variables, loops or conditions" in next(iter(counts.left_out))


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("pyautogui.click(x=0.5, y=0.25)", [Click(target=Target(x=100, y=25))]),
        ("computer.tripleClick(x=0.5, y=0.25)", [Click(target=Target(x=100, y=25), count=3)]),
        (
            "pyautogui.moveTo(x=0, y=0)\npyautogui.dragTo(x=1, y=1, button='left')",
            [None, Drag(path=(Target(x=0, y=0), Target(x=199, y=99)))],
        ),
        ("pyautogui.hotkey(['ctrl', 'c'])", [Key(keys=("ctrl", "c"))]),
        ("pyautogui.write(message='a\\nb')", [Type(text="a\nb")]),
        ("computer.wait()", [Wait(ms=5000)]),
        ("computer.terminate(status='success')", [Done()]),
        ("computer.terminate(status='failure')", [Infeasible()]),
    ],
)
def test_code_is_read_with_points_as_fractions(code: str, actions: list[Any]) -> None:
    read = read_code(code, 200, 100)
    assert len(read) == len(actions)
    assert all(
        expected is None or action == expected
        for action, expected in zip(read, actions, strict=True)
    )


@pytest.mark.parametrize("code", ["", "open('x')", "pyautogui.click(x=2.0, y=0.5)"])
def test_code_of_another_kind_is_refused(code: str) -> None:
    with pytest.raises(Refused):
        read_code(code, 200, 100)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"task_id": "t"}, "line 1: instruction: Field required"),
        (make_line([make_step("pyautogui.press('a')", image="none.png")]), "line 1: .*none.png"),
        (make_line([make_step("pyautogui.press('a')", image="lines.jsonl")]), "is no picture"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(
    line: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(ImportRefused, match=words):
        run(tmp_path, [line])
