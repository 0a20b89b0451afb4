"""/console/scripts: scripts made of tasks that agents finished, and their replays.

Guarantees: what is refused (a task that did not succeed, a value that a parameter cannot have) is
said beside the form, with what was typed still in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import ValidationError

from agent_server.api import scripts as scripts_over_http
from agent_server.api import tasks as task_routes
from agent_server.api.agents import list_agents
from agent_server.api.errors import ApiError
from agent_server.api.models import TaskRequest, TaskState
from agent_server.api.script_models import ScriptCall, ScriptRequest
from agent_server.api.state import API_RUN, ApiState, State
from agent_server.scripts.play import POLICY
from agent_server.scripts.report import describe_script
from agent_server.web.page_route import PageRoute, describe_problem
from agent_server.web.pages import render
from agent_server.web.rows import Badge, make_badge

router = APIRouter(prefix="/console/scripts", include_in_schema=False, route_class=PageRoute)

PATH = "/console/scripts"
MAX_LOOKED_AT = 200
"""Of the newest replays of all scripts, among which those of one are looked for."""
MAX_REPLAYS = 20


@router.get("")
def show_scripts(state: State, task: Annotated[str, Query(max_length=100)] = "") -> HTMLResponse:
    """All of them, and the form that makes one; `task` stands in it."""
    return _show_all(state, {"name": "", "task_id": task}, "")


@router.post("")
def create_script(
    state: State, name: Annotated[str, Form()], task_id: Annotated[str, Form()]
) -> Response:
    """Makes a script of a finished task, or shows the form again with what is wrong."""
    try:
        request = ScriptRequest(name=name.strip(), task_id=task_id.strip())
        made = scripts_over_http.create_script(request, state)
    except (ValidationError, ApiError) as error:
        form = {"name": name, "task_id": task_id}
        return _show_all(state, form, describe_problem(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    return RedirectResponse(f"{PATH}/{made.name}", HTTPStatus.SEE_OTHER)


@router.get("/{name}")
def show_script(name: str, state: State) -> HTMLResponse:
    """Its steps, the form that replays it, and its newest replays with what came of them."""
    return _show_one(state, name, {}, "", "")


@router.post("/{name}/replay")
def replay_script(
    name: str,
    state: State,
    parameter: Annotated[list[str] | None, Form()] = None,
    value: Annotated[list[str] | None, Form()] = None,
    otherwise: Annotated[str, Form()] = "",
) -> Response:
    """Replays it as a task, which is then shown as it happens. `parameter` and `value` go
    together, in order."""
    values = dict(zip(parameter or (), value or (), strict=False))
    try:
        call = ScriptCall(name=name, values=values, otherwise=otherwise or None)
        request = TaskRequest(script=call, screenshots=True)
        task = task_routes.create_task(request, state, Response())
    except (ValidationError, ApiError) as error:
        return _show_one(state, name, values, otherwise, describe_problem(error))
    return RedirectResponse(f"/console/tasks/{task.id}", HTTPStatus.SEE_OTHER)


@router.post("/{name}/delete")
def delete_script(name: str, state: State) -> Response:
    """Removes all versions."""
    scripts_over_http.delete_script(name, state)
    return RedirectResponse(PATH, HTTPStatus.SEE_OTHER)


def _show_all(
    state: ApiState, form: Mapping[str, str], problem: str, code: int = HTTPStatus.OK
) -> HTMLResponse:
    scripts = scripts_over_http.list_scripts(state)
    return render("scripts.html", code, path=PATH, scripts=scripts, form=form, problem=problem)


def _show_one(
    state: ApiState, name: str, values: Mapping[str, str], otherwise: str, problem: str
) -> HTMLResponse:
    script = scripts_over_http.get_script(name, state)
    return render(
        "script.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        path=PATH,
        script=script,
        lines="\n".join(describe_script(script.script)),
        values={**script.parameters, **values},
        agents=[agent for agent in list_agents(state) if agent.name != POLICY],
        otherwise=otherwise,
        replays=_list_replays(state, name),
        problem=problem,
    )


def _list_replays(state: ApiState, name: str) -> Sequence[tuple[TaskState, Badge]]:
    page = state.store.episodes.page(
        run_id=API_RUN, policy=POLICY, limit=MAX_LOOKED_AT, newest_only=True
    )
    rows = [row for row in page.episodes if _name_of(row.task) == name]
    return [(task, make_badge(task)) for task in state.describe(rows[:MAX_REPLAYS])]


def _name_of(task: Mapping[str, object]) -> str:
    """Of the script that a task replays; empty where the row has only a reference to it."""
    play = task.get(POLICY)
    script = play.get("script") if isinstance(play, dict) else None
    return str(script.get("name", "")) if isinstance(script, dict) else ""
