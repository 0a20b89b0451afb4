"""Only a yes approves; without a terminal the answer is no; a question answered elsewhere ends."""

from __future__ import annotations

import asyncio
import io
import os
from pathlib import Path
from typing import Any, TextIO

import pytest
from rich.console import Console

from agent_server.api.approval_models import ApprovalState
from agent_server.cli.ask_person import NOBODY, TerminalPerson, describe_question, read_answer
from agent_server.store.tables import Approval, utcnow

QUESTION = ApprovalState.of(
    Approval(
        id="a1",
        root_id="e1",
        episode_id="e1",
        step=0,
        fingerprint="m",
        summary="click [b]Pay[/]",
        reasons=[{"rule": "pay", "why": "it would press '[red]Pay'"}],
        actions=[],
        created_at=utcnow(),
        expires_at=utcnow(),
    )
)


class Api:
    """Has one question, and remembers the answer."""

    def __init__(self) -> None:
        self.answers: list[tuple[str, str]] = []

    async def list_approvals(self, task_id: str) -> list[ApprovalState]:
        return [QUESTION]

    async def get_approval_picture(self, task_id: str, approval_id: str) -> bytes:
        return b"picture"

    async def answer_approval(self, task_id: str, approval_id: str, *answer: str) -> None:
        self.answers.append(answer)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("y\n", ("approve", "")),
        (" YES ", ("approve", "")),
        ("\n", ("refuse", "")),
        ("n", ("refuse", "")),
        ("yes, but the blue one", ("refuse", "yes, but the blue one")),
    ],
)
def test_only_a_yes_approves(line: str, answer: tuple[str, str]) -> None:
    assert read_answer(line) == answer


def test_text_of_pages_is_shown_as_it_is(tmp_path: Path) -> None:
    shown = Console(file=io.StringIO(), width=200)
    shown.print(describe_question(QUESTION, tmp_path / "a1.jpeg"))
    text = shown.file.getvalue()  # type: ignore[attr-defined]
    assert "click [b]Pay[/]" in text
    assert "it would press '[red]Pay'" in text


async def ask(api: Api, folder: Path, stream: TextIO, line: str | None = None) -> None:
    console = Console(file=io.StringIO())
    client: Any = api
    person = TerminalPerson(client, "e1", folder, console, stream)
    with console.status("x") as status:
        await person.turn_to("a1", status)
        async with asyncio.timeout(20):
            while not (folder / "a1.jpeg").exists():
                await asyncio.sleep(0.01)
            while line is not None and not api.answers:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        await person.turn_to(None, status)


async def test_without_a_terminal_the_answer_is_no(tmp_path: Path) -> None:
    api = Api()
    await ask(api, tmp_path, io.StringIO("y\n"), "")
    assert api.answers == [("refuse", NOBODY)]


async def test_a_terminal_is_asked(tmp_path: Path) -> None:
    api, (person_end, end) = Api(), os.openpty()
    os.write(person_end, b"y\n")
    with os.fdopen(end) as stream:
        await ask(api, tmp_path, stream, "y")
    os.close(person_end)
    assert api.answers == [("approve", "")]


async def test_a_question_that_was_answered_elsewhere_is_given_up(tmp_path: Path) -> None:
    api, (person_end, end) = Api(), os.openpty()
    with os.fdopen(end) as stream:
        await ask(api, tmp_path, stream)
    os.close(person_end)
    assert api.answers == []
