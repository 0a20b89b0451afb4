"""/console/gyms: the web gyms; each template is played by hand, or given to the agent."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from agent_server.api import tasks as task_routes
from agent_server.api.agents import choose_policy
from agent_server.api.models import MAX_SEED, TaskRequest
from agent_server.api.state import State
from agent_server.web.page_route import PageRoute
from agent_server.web.pages import render
from agent_server.web.play_links import is_loopback, make_link
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.gym import WebGym
from envs.gyms.server.registry import web_gyms

router = APIRouter(prefix="/console/gyms", include_in_schema=False, route_class=PageRoute)

PATH = "/console/gyms"


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateRow:
    """One template of a gym. `link`: empty where no app can be opened."""

    name: str
    level: str
    skills: str
    link: str


@router.get("")
def show_gyms(
    request: Request, state: State, seed: Annotated[int, Query(ge=0, le=MAX_SEED)] = 0
) -> HTMLResponse:
    """All of them; `seed` chooses the task of each template."""
    host = request.headers.get("host", "")
    is_near = is_loopback(host)
    key = state.settings.api_key

    def make_row(gym: WebGym, name: str) -> TemplateRow:
        return TemplateRow(
            name=name,
            level=str(gym.level(name) or ""),
            skills=", ".join(gym.spec(name).skills) if isinstance(gym, AppGym) else "",
            link=make_link(key, host, gym.name, name, seed) if is_near else "",
        )

    rows = {
        gym.name: [make_row(gym, name) for name in gym.templates] for gym in web_gyms().values()
    }
    return render(
        "gyms.html",
        path=PATH,
        gyms=rows,
        seed=seed,
        is_near=is_near,
        policy=choose_policy(state, None),
    )


@router.post("/give")
def give_task(
    state: State,
    gym: Annotated[str, Form()],
    template: Annotated[str, Form()],
    seed: Annotated[int, Form(ge=0, le=MAX_SEED)] = 0,
) -> Response:
    """Has the task carried out by whoever serves, and shows it as it happens."""
    request = TaskRequest(gym=gym, template=template, seed=seed, screenshots=True)
    task = task_routes.create_task(request, state, Response())
    return RedirectResponse(f"/console/tasks/{task.id}", HTTPStatus.SEE_OTHER)
