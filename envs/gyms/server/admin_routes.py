"""The gym server's admin routes: sessions, verdicts and site tools. The gate in front of them wants
the token."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from fastapi import APIRouter, HTTPException

from envs.contract.gym_api import (
    Deleted,
    SessionCopied,
    SessionReady,
    SessionView,
    ToolReply,
    VerdictReply,
    VerdictRequest,
)
from envs.contract.task import Task
from envs.gyms.kit.explored import check_params, is_explored
from envs.gyms.kit.gym import AppGym, apps_of
from envs.gyms.server.gym import ApplicationFailed, PageOwned, Refused, WebGym
from envs.gyms.server.registry import get_web_gym
from envs.gyms.server.session_states import begin_session, copy_session, read_current_state
from envs.gyms.server.sessions import GymSession, SessionStore, TooManySessions
from envs.state.canonical import make_patch
from envs.state.gym_evidence import session_hash

log = logging.getLogger(__name__)


class AdminRoutes:
    """Handlers below /_admin/sessions."""

    def __init__(self, store: SessionStore) -> None:
        self._store = store

    def make_router(self) -> APIRouter:
        """All routes."""
        router = APIRouter(prefix="/_admin/sessions")
        router.put("/{key}")(self.put_session)
        router.get("/{key}")(self.get_session)
        router.post("/{key}/verdict")(self.make_verdict)
        router.post("/{key}/copies/{copy}")(self.copy_session)
        router.post("/{key}/tools/{name}")(self.call_tool)
        router.delete("/{key}")(self.delete_session)
        return router

    async def put_session(self, key: str, task: Task) -> SessionReady:
        """Creates the session, or resets it to the start of the task."""
        gym = _get_gym(task)
        try:
            session = await begin_session(self._store, key, gym, task)
        except (TooManySessions, ApplicationFailed) as error:
            raise HTTPException(503, str(error)) from error
        return SessionReady(
            start_path=gym.start_path(task),
            state_hash=_hash_state(session),
            page=gym.page_scripts(task) if isinstance(gym, PageOwned) else None,
        )

    async def copy_session(self, key: str, copy: str) -> SessionCopied:
        """Makes the session `copy` equal to this one as it is now."""
        try:
            copied = await copy_session(self._store, self._get_session(key), copy)
        except (TooManySessions, ApplicationFailed) as error:
            raise HTTPException(503, str(error)) from error
        return SessionCopied(state_hash=_hash_state(copied))

    async def get_session(self, key: str) -> SessionView:
        """The session's states."""
        session = await self._get_current(key)
        return SessionView(
            task=session.task,
            before=session.before,
            after=session.state,
            state_hash=_hash_state(session),
        )

    async def make_verdict(self, key: str, body: VerdictRequest) -> VerdictReply:
        """The verdict on the session as it is now, also when an app crashed: what made it crash was
        the agent's request."""
        session = await self._get_current(key)
        gym = _get_gym(session.task)
        if isinstance(gym, PageOwned):
            session.state = {"page": body.page}
        verdict = gym.verdict(
            session.task, session.before, session.state, body.answer, body.infeasible
        )
        if session.crash is not None:
            verdict = verdict.with_details(crash=session.crash)
        return VerdictReply(
            **verdict.model_dump(),
            state_hash=_hash_state(session),
            change=make_patch(session.before, session.state) if body.keep else None,
        )

    async def call_tool(self, key: str, name: str, arguments: dict[str, Any]) -> ToolReply:
        """A site tool of one of the session's apps, by the app's own rules."""
        session = self._get_session(key)
        apps = {app.name: app for app in apps_of(session.task.gym or "")}
        tools = {tool.name: tool for app in apps.values() for tool in app.tools}
        if name not in tools:
            return ToolReply(error=f"there is no tool {name[:60]}; there are: {', '.join(tools)}")
        tool = tools[name]
        app = apps[tool.app]
        world = app.make_world(session.task.seed)
        try:
            state, log_event = app.get_state(session.state), partial(app.log_event, session.state)
            return ToolReply(value=tool.call(world, state, arguments, log_event))
        except Refused as refusal:
            return ToolReply(error=str(refusal))
        except Exception as error:
            session.crash = f"tool {name}: {error!r}"[:300]
            log.exception("%s crashed", app.name)
            return ToolReply(error="the application failed")

    async def delete_session(self, key: str) -> Deleted:
        """Ends the session."""
        return Deleted(deleted=self._store.delete(key))

    async def _get_current(self, key: str) -> GymSession:
        """The session with its state of now."""
        session = self._get_session(key)
        try:
            await read_current_state(session)
        except ApplicationFailed as error:
            raise HTTPException(503, str(error)) from error
        return session

    def _get_session(self, key: str) -> GymSession:
        session = self._store.get(key)
        if session is None:
            raise HTTPException(404, f"there is no gym session {key!r}; it was deleted or idle")
        return session


def _get_gym(task: Task) -> WebGym:
    """The task's gym, after a check that the gym would make this task: a verdict computed from
    invented params would be worth nothing. A task that a walk found is what its params say."""
    try:
        gym = get_web_gym(task.gym or "")
        if is_explored(task.template) and isinstance(gym, AppGym):
            check_params(task)
            return gym
        genuine = gym.make_task(task.template or "", task.seed)
    except (KeyError, ValueError) as error:
        raise HTTPException(422, str(error.args[0])) from error
    if genuine.params != task.params:
        raise HTTPException(
            422,
            f"the params of task {task.id!r} are not those of {genuine.id!r}; make the task anew",
        )
    return gym


def _hash_state(session: GymSession) -> str:
    return session_hash(session.task, session.state)
