"""Files of an episode: put into its session after the reset, taken out of it at the end.

Guarantees: a file that cannot be taken out is a sentence in the list, and never the end of an
episode; a file that cannot be put in ends it, for the task cannot be done without.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from envs.client import HostBusy, RemoteSession
from envs.contract.actions import Action
from envs.contract.files import FileRefused, NoSuchFile, SessionFileList
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Keep, ResetReply, Session, StepReply, Verdict
from envs.contract.task import Task

log = logging.getLogger(__name__)


class FilingSession:
    """A session whose task comes with files. `remote`: where they go; `session`: what is stepped,
    the same or something around it."""

    def __init__(self, session: Session, remote: RemoteSession, files: Mapping[str, bytes]) -> None:
        self._session, self._remote, self._files = session, remote, files

    async def reset(self, task: Task, observe: Observe) -> ResetReply:
        """Reset the session and put the files into it."""
        reply = await self._session.reset(task, observe)
        for name, data in self._files.items():
            try:
                await self._remote.put_file(name, data)
            except FileRefused as error:
                raise EpisodeFault(InvalidReason.UNRUNNABLE, f"files: {error}") from error
        return reply

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        """Act and observe, as the session does."""
        return await self._session.step(actions, observe)

    async def evaluate(
        self, answer: str | None = None, infeasible: bool = False, keep: Keep | None = None
    ) -> Verdict:
        """Judge the episode, as the session does."""
        return await self._session.evaluate(answer, infeasible, keep)

    async def close(self) -> None:
        """Close the session."""
        await self._session.close()


async def take_files(
    session: RemoteSession, save: Callable[[str, bytes], None]
) -> SessionFileList | None:
    """What the task made; `save` gets each file. None where the session cannot tell."""
    try:
        listed = await session.list_files()
    except (EpisodeFault, HostBusy) as error:
        log.warning("the files of an episode are lost: %s", error)
        return None
    made, notes = [], list(listed.notes)
    for file in listed.files:
        if file.is_input:
            continue
        try:
            save(file.name, await session.read_file(file.name))
        except (EpisodeFault, HostBusy, NoSuchFile) as error:
            notes.append(f"{file.name}: {error}")
        else:
            made.append(file)
    return SessionFileList(files=tuple(made), notes=tuple(notes))
