"""A film is kept before the verdict; one that fails is no fault of the episode."""

from __future__ import annotations

from typing import Any

import pytest

from agent_server.episodes.film import FilmingSession
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Verdict
from envs.contract.task import Task

TASK = Task(id="t", instruction="x", env="desktop")


class Desktop:
    """A session that writes down what is done with it."""

    def __init__(self, broken: str = "") -> None:
        self.calls: list[str] = []
        self._broken = broken

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if name == self._broken:
            raise EpisodeFault(InvalidReason.OBSERVATION, "no ffmpeg")

    async def reset(self, task: Task, observe: Observe) -> Any:
        self._call("reset")

    async def start_recording(self) -> None:
        self._call("start")

    async def end_recording(self) -> bytes:
        self._call("end")
        return b"mp4"

    async def evaluate(self, *_: object) -> Verdict:
        self._call("evaluate")
        return Verdict(score=1.0)


@pytest.mark.parametrize(
    ("broken", "calls", "films"),
    [
        ("", ["reset", "start", "end", "evaluate"], [b"mp4"]),
        ("start", ["reset", "start", "evaluate"], []),
        ("end", ["reset", "start", "end", "evaluate"], []),
    ],
)
async def test_the_film_ends_before_the_verdict(
    broken: str, calls: list[str], films: list[bytes]
) -> None:
    desktop, kept = Desktop(broken), []
    session = FilmingSession(desktop, kept.append)  # type: ignore[arg-type]
    await session.reset(TASK, Observe())
    assert (await session.evaluate()).score == 1.0
    assert desktop.calls == calls
    assert kept == films
