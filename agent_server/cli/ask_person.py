"""Asks in the terminal what a task waits for; where nobody sits before it, the answer is no.

Guarantees: only "y" or "yes" approves; anything else refuses, and words are passed on to the agent;
a question that was answered elsewhere (in the console) is given up; Ctrl-C ends the wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from agent_server.api.approval_models import Answer, ApprovalState
from agent_server.client.async_client import AsyncClient
from agent_server.client.connection import ApiProblem

NOBODY = "nobody sits before the terminal, so nobody can approve"
YES, NO = frozenset({"y", "yes"}), frozenset({"", "n", "no"})


class TerminalPerson:
    """Whoever watches the task in this terminal."""

    def __init__(
        self,
        client: AsyncClient,
        task_id: str,
        folder: Path,
        console: Console,
        stream: TextIO = sys.stdin,
    ) -> None:
        self._client, self._task_id, self._folder = client, task_id, folder
        self._console, self._stream = console, stream
        self._asking: asyncio.Task[None] | None = None

    async def turn_to(self, approval_id: str | None, status: Status) -> None:
        """A new question, or None: it needs no answer any more."""
        if self._asking is not None:
            self._asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._asking
            self._asking = None
        if approval_id is None:
            status.start()
            return
        # A spinner would draw over what is typed.
        status.stop()
        self._asking = asyncio.create_task(self._ask(approval_id))

    async def _ask(self, approval_id: str) -> None:
        rows = await self._client.list_approvals(self._task_id)
        approval = next(row for row in rows if row.id == approval_id)
        picture = await self._client.get_approval_picture(self._task_id, approval_id)
        place = self._folder / f"{approval_id}.jpeg"
        await asyncio.to_thread(place.write_bytes, picture)
        self._console.print(describe_question(approval, place), highlight=False)
        answer: Answer = "refuse"
        words = NOBODY
        if self._stream.isatty():
            self._console.print("approve it? y, or N, or words for the agent: ", end="")
            answer, words = read_answer(await _read_line(self._stream))
        else:
            self._console.print(f"[red]refused[/]: {NOBODY}", highlight=False)
        with contextlib.suppress(ApiProblem):  # it was answered elsewhere meanwhile
            await self._client.answer_approval(self._task_id, approval_id, answer, words)


def describe_question(approval: ApprovalState, picture: Path) -> str:
    """What waits and why, as rich markup."""
    lines = [f"[bold yellow]waits for you[/]: {escape(approval.summary)}"]
    lines += [f"  {reason.rule}: {escape(reason.why)}" for reason in approval.reasons]
    return "\n".join([*lines, f"  [dim]{escape(str(picture))}[/]"])


def read_answer(line: str) -> tuple[Answer, str]:
    """What a person typed. The default is no."""
    text = line.strip()
    if text.lower() in YES:
        return "approve", ""
    return "refuse", "" if text.lower() in NO else text


async def _read_line(stream: TextIO) -> str:
    """The next line. No thread waits for it, so that the wait can be given up."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(stream.fileno(), ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(stream.fileno())
    return stream.readline()
