"""Clients of the API under faults: each submits a task, waits for its end, submits the next one.

Guarantees: a client behaves as documented for users: it sends a submission again, with the same
Idempotency-Key, until the API has answered it, and it believes the first terminal status that it
reads. `submissions` has everything that the API accepted and everything that it may have accepted.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from benchmarks.faults.works import Work
from envs.contract.outcomes import Status
from envs.io.json_client import CallFailed, JsonClient

CALL_S = 6.0
AGAIN_S = 0.3
POLL_S = 0.7
ENDED = frozenset(status.value for status in Status if status.terminal)
REPEAT_EVERY = 9
"""Each so many submissions is sent twice, as a client does that missed the answer."""


@dataclass(slots=True)
class Submission:
    """One task of one client. `ids`: what the API called it, one if all is well; `final`: the first
    terminal state that the API told of."""

    key: str
    work: Work
    ids: set[str] = field(default_factory=set)
    final: dict[str, Any] | None = None
    refusal: str = ""


@dataclass(slots=True)
class Load:
    """`prefix`: of the keys. `works` are taken in order, for ever where `repeats`."""

    url: str
    api_key: str
    works: Sequence[Work]
    prefix: str
    clients: int
    repeats: bool = True
    submissions: list[Submission] = field(default_factory=list)
    calls_failed: int = 0
    plain_500: int = 0
    _is_stopped: bool = False

    def stop(self) -> None:
        """No new submissions."""
        self._is_stopped = True

    @property
    def open_count(self) -> int:
        """Submissions whose end no client has seen."""
        return sum(entry.final is None and not entry.refusal for entry in self.submissions)

    async def run(self) -> None:
        """Until all submissions have ended, after `stop` or the last of the works."""
        supply = self._supply()
        headers = {"x-api-key": self.api_key}
        async with JsonClient(self.url, timeout_s=CALL_S, headers=headers) as http:
            await asyncio.gather(*(self._work(http, supply) for _ in range(self.clients)))

    def _supply(self) -> Iterator[Submission]:
        number = 0
        while not self._is_stopped and (self.repeats or number < len(self.works)):
            work = self.works[number % len(self.works)]
            yield Submission(f"{self.prefix}-{number}", work)
            number += 1

    async def _work(self, http: JsonClient, supply: Iterator[Submission]) -> None:
        for submission in supply:
            self.submissions.append(submission)
            await self._submit(http, submission)
            if len(self.submissions) % REPEAT_EVERY == 0:
                await self._submit(http, submission)
            while submission.final is None and not submission.refusal:
                await asyncio.sleep(POLL_S)
                await self._look(http, submission)

    async def _submit(self, http: JsonClient, submission: Submission) -> None:
        body = orjson.dumps(submission.work.request())
        headers = {"idempotency-key": submission.key}
        while True:
            status, reply = await self._call(http, "POST", "/v1/tasks", body, headers)
            if status in (200, 201):
                submission.ids.add(reply["id"])
                return
            if 400 <= status < 500 and status != 408:
                submission.refusal = f"{status}: {reply.get('detail', '')}"
                return
            await asyncio.sleep(AGAIN_S)

    async def _look(self, http: JsonClient, submission: Submission) -> None:
        for task_id in submission.ids:
            status, reply = await self._call(http, "GET", f"/v1/tasks/{task_id}")
            if status == 200 and reply["status"] in ENDED:
                submission.final = reply
            elif status == 404:
                submission.refusal = f"404: the API does not know its own task {task_id}"

    async def _call(
        self,
        http: JsonClient,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, dict[str, Any]]:
        """Status and JSON; 0 where no answer came."""
        try:
            reply = await http.call(method, path, body, headers=headers)
            self.plain_500 += reply.status == 500
            return reply.status, reply.json()
        except (CallFailed, orjson.JSONDecodeError):
            self.calls_failed += 1
            return 0, {}


async def wait_until_quiet(load: Load, limit_s: float) -> bool:
    """Whether all submissions ended in time."""
    deadline = time.monotonic() + limit_s
    while load.open_count and time.monotonic() < deadline:
        await asyncio.sleep(0.2)
    return not load.open_count
