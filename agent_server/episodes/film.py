"""Films an episode on a desktop, from after its reset to before its verdict.

Guarantees: a film that cannot be recorded is a line in the worker's log, never the end of an
episode.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from envs.client import HostBusy, RemoteSession
from envs.contract.actions import Action
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault
from envs.contract.session import Keep, ResetReply, StepReply, Verdict
from envs.contract.task import Task

log = logging.getLogger(__name__)


class FilmingSession:
    """A desktop session with a film: `keep` gets the mp4 before the verdict. The host drops the
    film of an episode without a verdict."""

    def __init__(self, session: RemoteSession, keep: Callable[[bytes], None]) -> None:
        self._session, self._keep = session, keep
        self._is_filming = False

    async def reset(self, task: Task, observe: Observe) -> ResetReply:
        """Reset the session and start the film."""
        reply = await self._session.reset(task, observe)
        try:
            await self._session.start_recording()
            self._is_filming = True
        except (EpisodeFault, HostBusy) as error:
            log.warning("%s is not filmed: %s", task.id, error)
        return reply

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        """Act and observe, as the session does."""
        return await self._session.step(actions, observe)

    async def evaluate(
        self, answer: str | None = None, infeasible: bool = False, keep: Keep | None = None
    ) -> Verdict:
        """End the film, then judge the episode."""
        if self._is_filming:
            self._is_filming = False
            try:
                self._keep(await self._session.end_recording())
            except (EpisodeFault, HostBusy) as error:
                log.warning("a film is lost: %s", error)
        return await self._session.evaluate(answer, infeasible, keep)

    async def close(self) -> None:
        """Close the session."""
        await self._session.close()
