"""A film of an episode on a desktop: from after its reset to before its verdict.

Guarantees: a film that cannot be made is a line in the worker's log, never the end of an episode.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from envs.actions import Action
from envs.client import HostBusy, RemoteSession
from envs.observations import Observe
from envs.outcomes import EpisodeFault
from envs.session import Keep, ResetReply, StepReply, Verdict
from envs.tasks import Task

log = logging.getLogger(__name__)


class Filmed:
    """A session of a desktop that films itself; `keep` gets the mp4 before the verdict. The host
    drops the film of an episode that has none."""

    def __init__(self, session: RemoteSession, keep: Callable[[bytes], None]) -> None:
        self._session, self._keep = session, keep
        self._filming = False

    async def reset(self, task: Task, observe: Observe) -> ResetReply:
        reply = await self._session.reset(task, observe)
        try:
            await self._session.start_film()
            self._filming = True
        except (EpisodeFault, HostBusy) as error:
            log.warning("%s is not filmed: %s", task.id, error)
        return reply

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        return await self._session.step(actions, observe)

    async def evaluate(
        self, answer: str | None = None, infeasible: bool = False, keep: Keep | None = None
    ) -> Verdict:
        if self._filming:
            self._filming = False
            try:
                self._keep(await self._session.end_film())
            except (EpisodeFault, HostBusy) as error:
                log.warning("a film is lost: %s", error)
        return await self._session.evaluate(answer, infeasible, keep)

    async def close(self) -> None:
        await self._session.close()
