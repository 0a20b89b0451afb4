"""Judging a real desktop from outside: its files come out whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from envs.osworld.outside.verdict import judge_evidence
from envs.state.bundle import unpack_evidence
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop
LETTER = {"type": "text_file", "parameters": {"path": "/home/user/Documents/a.txt", "text": "one"}}
BIG = "truncate -s 500M Documents/big.txt; ln -s /etc/passwd Documents/link.txt"


def task(path: str, rules: Any, *config: dict[str, Any], func: str = "text_is") -> Task:
    evaluator = {
        "func": [func, "same_answer"],
        "result": [{"type": "vm_file", "path": path}, {"type": "answer"}],
        "expected": [
            {"type": "rule", "rules": rules},
            {"type": "rule", "rules": {"expected": "yes"}},
        ],
        "postconfig": [{"type": "execute", "parameters": {"command": "echo two >> Documents/a.txt",
                                                          "shell": True}}],
    }  # fmt: skip
    return Task(id="t", instruction="x", env="desktop", config=list(config), evaluator=evaluator)


async def test_a_verdict_is_made_of_files_that_come_out_and_can_be_made_again(
    user: DesktopUser, tmp_path: Path
) -> None:
    kept: list[bytes] = []
    await user.reset(task("Documents/a.txt", "onetwo\n", LETTER))
    first = await user.session.evaluate("yes", keep=kept.append)
    assert first.score == 1, first
    evidence = unpack_evidence(kept[0], tmp_path)
    assert await judge_evidence(evidence, tmp_path) == first
    assert [file.read_text() for file in tmp_path.rglob("a.txt")] == ["onetwo\n"]


async def test_files_that_no_evaluator_should_read_do_not_come_out(user: DesktopUser) -> None:
    made = {"type": "execute", "parameters": {"command": BIG, "shell": True}}
    await user.reset(task("/home/user/Documents/big.txt", "x", LETTER, made))
    with pytest.raises(EpisodeFault, match="larger than") as caught:
        await user.session.evaluate("yes")
    assert caught.value.reason is InvalidReason.EVALUATOR_ERROR
    await user.reset(task("/proc/self/environ", "x"))
    with pytest.raises(EpisodeFault, match="changed while it was read"):
        await user.session.evaluate("yes")
    for path in ("Documents/link.txt", "/dev/zero"):
        await user.reset(task(path, "x", LETTER, made))
        assert (await user.session.evaluate("yes")).score == 0, path
    await user.reset(task("Documents/a.txt", "onetwo\n", LETTER))
    assert (await user.session.evaluate("yes")).score == 1
