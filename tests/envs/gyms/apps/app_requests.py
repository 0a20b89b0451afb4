"""Requests to an app's page functions, without a server."""

from __future__ import annotations

import re
from html import unescape

from envs.gyms.kit.app import SHARED_STATE, App
from envs.gyms.kit.company import get_company
from envs.gyms.kit.request import RequestContext, Visit
from envs.gyms.kit.site_tools import ToolContext
from envs.gyms.server.gym import State
from envs.gyms.server.registry import get_web_gym
from envs.gyms.server.sessions import GymSession


def make_request(
    app: App,
    *,
    path: str = "/",
    query: dict[str, str] | None = None,
    form: dict[str, str] | None = None,
    state: State | None = None,
    seed: int = 1,
) -> RequestContext:
    """A request to a page, or of a form, in the world of a seed; `state` is the app's part."""
    gym = get_web_gym(app.name)
    task = gym.make_task(gym.templates[0], seed)
    part = app.make_state(get_company(seed)) if state is None else state
    shared: State = {**SHARED_STATE, "log": [], app.name: part}
    session = GymSession(key="test", task=task, before={}, state=shared, used_at=0.0)
    visit = Visit(session, f"/{app.name}{path}", query or {}, form or {})
    return RequestContext.of(app, (app,), visit)


def make_tool_context(app: App, seed: int = 1) -> ToolContext:
    """What a site tool gets, with the state that a session begins with."""
    world = get_company(seed)
    return ToolContext(world=world, state=app.make_state(world))


def text_of(html: str) -> str:
    """The words of a page, without its style, scripts and tags."""
    body = re.sub(r"<(style|script)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def logged_events(request: RequestContext) -> list[str]:
    """What the session was shown, as milestones ask for it."""
    return list(request.visit.state["log"])
