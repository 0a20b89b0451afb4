"""What a task has beside its instruction: secrets, saved log-in state, and files; given to its
session before the first step, and taken back after the last one.

Guarantees: what a task names and is not there ends it as `unrunnable` before a session is taken;
what cannot be taken back is told in the result's detail or in the list of files, and never changes
how the task ended.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace

from agent_server.episodes.filing import FilingSession, take_files
from agent_server.episodes.film import FilmingSession
from agent_server.episodes.trajectory import EpisodeResult
from agent_server.secrets_file import SecretsFileError, choose_secrets, load_secrets
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.profiles import NoSuchProfile, ProfileError, Profiles
from agent_server.store.task_files import MADE, TaskFiles, made_name
from envs.client import HostBusy, RemoteSession
from envs.contract.browser_state import BrowserState
from envs.contract.files import NoSuchFile
from envs.contract.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from envs.contract.secret import Secret
from envs.contract.session import Session
from envs.contract.task import Task

log = logging.getLogger(__name__)

TAKE_BACK_S = 120.0
"""For files and log-in state, to be taken out of a session."""


@dataclass(frozen=True, slots=True)
class Belongings:
    """Of one episode."""

    task: Task
    films: bool
    secrets: Mapping[str, Secret]
    state: BrowserState | None
    inputs: Mapping[str, bytes]
    profiles: Profiles

    async def hand_over(self, session: RemoteSession, recorder: Recorder) -> Session:
        """The session as the episode uses it. Raises EpisodeFault, HostBusy."""
        if self.state is not None:
            await session.lend_state(self.state)
        if self.secrets:
            await session.lend_secrets(self.secrets)
        wrapped: Session = session
        if self.films and self.task.env == "desktop":
            wrapped = FilmingSession(session, recorder.save_film)
        return FilingSession(wrapped, session, self.inputs) if self.inputs else wrapped

    async def take_back(
        self, session: RemoteSession, recorder: Recorder, result: EpisodeResult
    ) -> EpisodeResult:
        """Records the files that it made and saves the profile; the result, which says where that
        could not be done. Raises ArtifactError."""
        if result.status is Status.INVALID:
            return result
        try:
            async with asyncio.timeout(TAKE_BACK_S):
                if self.task.save_profile and result.reason is EndReason.DONE:
                    result = await self._save_profile(session, result)
                if self.task.keep_files:
                    await self._take_files(session, recorder)
        except TimeoutError:
            log.warning("%s: what it made was not taken in %g s", self.task.id, TAKE_BACK_S)
        return result

    async def _take_files(self, session: RemoteSession, recorder: Recorder) -> None:
        def save(name: str, data: bytes) -> None:
            recorder.save_file(made_name(name), data)

        listed = await take_files(session, save)
        if listed is not None and (listed.files or listed.notes):
            recorder.save_file(MADE, listed.model_dump_json().encode())

    async def _save_profile(self, session: RemoteSession, result: EpisodeResult) -> EpisodeResult:
        name = self.task.profile or ""
        try:
            seen = await session.read_state()
            await asyncio.to_thread(self.profiles.update, name, seen, self.task.reach)
        except (EpisodeFault, HostBusy, ProfileError, OSError) as error:
            log.warning("the profile of %s was not saved: %s", self.task.id, error)
            return replace(result, detail=f"the profile {name} was not saved: {error}"[:500])
        return result


class BelongingsStore:
    """Where they are, for one worker."""

    def __init__(self, settings: Settings, artifacts: Artifacts) -> None:
        self._settings, self._files = settings, TaskFiles(artifacts)
        self._profiles = Profiles(settings.artifacts, settings.profile_keys)

    def load(self, task_id: str, task: Task) -> Belongings:
        """All that the task names; `task_id`: of its first episode. Raises EpisodeFault."""
        return Belongings(
            task=task,
            films=self._settings.films,
            secrets=self._choose_secrets(task),
            state=self._load_state(task),
            inputs=self._load_inputs(task_id, task),
            profiles=self._profiles,
        )

    def _choose_secrets(self, task: Task) -> dict[str, Secret]:
        if not task.secrets:
            return {}
        try:
            return choose_secrets(load_secrets(self._settings.secrets), task.secrets)
        except (KeyError, SecretsFileError) as error:
            raise _make_fault("secrets", error) from error

    def _load_state(self, task: Task) -> BrowserState | None:
        if task.profile is None:
            return None
        try:
            # Here already: state of other sites does not leave the worker.
            return self._profiles.load(task.profile).within(task.reach)
        except NoSuchProfile as error:
            # The first task of a profile makes it.
            if task.save_profile:
                return None
            raise _make_fault("profile", error) from error
        except ProfileError as error:
            raise _make_fault("profile", error) from error

    def _load_inputs(self, task_id: str, task: Task) -> dict[str, bytes]:
        try:
            return {file.name: self._files.read_input(task_id, file) for file in task.files}
        except NoSuchFile as error:
            raise _make_fault("files", error) from error


def _make_fault(what: str, error: Exception) -> EpisodeFault:
    return EpisodeFault(InvalidReason.UNRUNNABLE, f"{what}: {error.args[0]}")
