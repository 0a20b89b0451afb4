"""/console: tasks with their steps as they happen, a wall of what runs, new tasks, runs, workers.

The gate has let only those through who are signed in; forms are taken from the console's own pages
alone. Pages ask for their changing parts again each second, until nothing changes any more.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, FastAPI, Form, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import ValidationError
from starlette.staticfiles import StaticFiles

from agent_server.api import files as file_routes
from agent_server.api import tasks as task_routes
from agent_server.api.agents import list_agents
from agent_server.api.errors import ApiError
from agent_server.api.models import TaskRequest
from agent_server.api.sessions import Sessions
from agent_server.api.sign_in import COOKIE, HOLDS_S, is_key, make_cookie
from agent_server.api.state import API_RUN, State
from agent_server.store.pages import BadCursor
from agent_server.web import (
    approval_routes,
    evaluation_routes,
    gym_routes,
    key_routes,
    policy_routes,
    run_routes,
    script_routes,
    system_routes,
)
from agent_server.web.page_route import PageRoute, describe_problem, is_piece
from agent_server.web.pages import render
from agent_server.web.play_links import Playgrounds
from agent_server.web.rows import describe_age, make_badge, make_step_rows
from envs.contract.outcomes import ENDED_BY_AGENT, Status

router = APIRouter(prefix="/console", include_in_schema=False, route_class=PageRoute)

PAGE_TASKS = 50
MAX_WALL = 200
MAX_STEPS = 1000


@router.get("")
@router.get("/")
def home() -> RedirectResponse:
    """The list of tasks."""
    return RedirectResponse("/console/tasks")


@router.get("/sign-in")
def show_sign_in(then: str = "") -> HTMLResponse:
    """Asks for the key. One that stands behind # in the address is sent by the page itself."""
    return render("sign_in.html", then=then, problem="")


@router.post("/sign-in")
def sign_in(
    state: State, key: Annotated[str, Form()], then: Annotated[str, Form()] = ""
) -> Response:
    """Signs in with the API key."""
    if not is_key(key, state.settings.api_key):
        return render("sign_in.html", 403, then=then, problem="This is not the key.")
    # A path of the console and nothing else: an address could lead elsewhere.
    target = then if then.startswith("/console/") and not urlsplit(then).netloc else "/console/"
    reply = RedirectResponse(target, HTTPStatus.SEE_OTHER)
    cookie = make_cookie(state.settings.api_key, time.time())
    reply.set_cookie(COOKIE, cookie, max_age=HOLDS_S, path="/", httponly=True, samesite="strict")
    return reply


@router.post("/sign-out")
def sign_out() -> Response:
    """Forgets who is signed in in this browser."""
    reply = RedirectResponse("/console/sign-in", HTTPStatus.SEE_OTHER)
    reply.delete_cookie(COOKIE, path="/")
    return reply


@router.get("/tasks")
def show_tasks(
    request: Request, state: State, status: str = "", run: str = API_RUN, cursor: str = ""
) -> HTMLResponse:
    """Tasks of the API, or the episodes of a run; the first page is kept up to date."""
    chosen = (Status(status),) if status in set(Status) else ()
    try:
        page = state.store.episodes.page(
            run_id=run,
            status=chosen,
            cursor=cursor or None,
            limit=PAGE_TASKS,
            newest_only=True,
        )
    except BadCursor as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"cursor: {error}") from error
    now = datetime.now(UTC)
    rows = [
        (task, make_badge(task), describe_age(task.created_at, now))
        for task in state.describe(page.episodes)
    ]
    template = "tasks_rows.html" if is_piece(request) else "tasks.html"
    return render(
        template,
        path="/console/tasks",
        rows=rows,
        statuses=[entry.value for entry in Status],
        status=status,
        run=run,
        cursor=cursor,
        next_cursor=page.next_cursor or "",
    )


@router.get("/tasks/{task_id}")
def show_task(
    request: Request,
    task_id: str,
    state: State,
    episode: str = "",
    offset: Annotated[int, Query(ge=0)] = 0,
    shown: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """A task with its steps; while it runs, steps appear as they are recorded.

    A page that is open asks for what is new: `shown` steps of `episode` end at byte `offset`."""
    row = state.newest(task_id)
    if is_piece(request) and episode not in ("", row.id):
        # The page shows the steps of an attempt that was lost: it is loaded anew, for the next one.
        return Response(headers={"HX-Refresh": "true"})
    task = state.describe([row])[0]
    try:
        steps, following = state.artifacts.read_steps(row.id, offset)
    except ValidationError as error:
        detail = f"offset: no step begins at byte {offset}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error
    return render(
        "task_news.html" if is_piece(request) else "task.html",
        path="/console/tasks",
        task=task,
        badge=make_badge(task),
        steps=make_step_rows(steps[-MAX_STEPS:]),
        news={"episode": row.id, "offset": following, "shown": shown + len(steps)},
        allow=", ".join(row.task.get("allow", ())),
        age=describe_age(task.created_at, datetime.now(UTC)),
        is_over=task.status.terminal,
        is_repeatable=task.reason in ENDED_BY_AGENT and task.success is not False,
        files=file_routes.list_task_files(task_id, state),
    )


@router.post("/tasks/{task_id}/cancel")
def cancel_task(task_id: str, state: State) -> Response:
    """Stops it; one that has ended meanwhile is only shown."""
    try:
        task_routes.cancel_task(task_id, state)
    except ApiError as error:
        if error.status is not HTTPStatus.CONFLICT:
            raise
    return RedirectResponse(f"/console/tasks/{task_id}", HTTPStatus.SEE_OTHER)


@router.get("/tasks/{task_id}/steps/{number}/tree")
def show_tree(
    task_id: str, number: Annotated[int, Path(ge=1, le=100_000)], state: State
) -> HTMLResponse:
    """A piece: what the agent read before its action, and its whole answer."""
    steps, _ = state.artifacts.read_page(state.newest(task_id).id, number - 1, 1)
    if not steps:
        raise ApiError(HTTPStatus.NOT_FOUND, f"this attempt recorded no step {number}")
    return render("step_tree.html", step=steps[0])


@router.get("/tasks/{task_id}/pictures/{name}")
def show_picture(task_id: str, name: str, state: State) -> Response:
    """One recorded picture. It never changes."""
    reply = task_routes.get_screenshot(task_id, name, state)
    reply.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return reply


@router.get("/tasks/{task_id}/files/{name}")
def show_file(task_id: str, name: str, state: State) -> Response:
    """A file that came with the task or that it made, as a download."""
    return file_routes.get_task_file(task_id, name, state)


@router.get("/wall")
def show_wall(request: Request, state: State, sessions: Sessions) -> HTMLResponse:
    """The newest picture of everything that runs, and where lent sessions are watched."""
    page = state.store.episodes.page(status=(Status.RUNNING,), limit=MAX_WALL)
    pictures = [state.artifacts.newest_screenshot(row.id) for row in page.episodes]
    cards = list(zip(state.describe(page.episodes), pictures, strict=True))
    template = "wall_cards.html" if is_piece(request) else "wall.html"
    lent = [session.describe() for session in tuple(sessions.list())]
    return render(template, path="/console/wall", cards=cards, lent=lent)


@router.get("/new")
def show_new_task(state: State) -> HTMLResponse:
    """The form of a new task."""
    return render("new.html", path="/console/new", agents=list_agents(state), form={}, problem="")


@router.post("/new")
def create_task(
    state: State,
    instruction: Annotated[str, Form()],
    start_url: Annotated[str, Form()] = "",
    allow: Annotated[str, Form()] = "",
    policy: Annotated[str, Form()] = "",
    env: Annotated[str, Form()] = "browser",
    max_steps: Annotated[str, Form()] = "30",
    approve: Annotated[str, Form()] = "",
) -> Response:
    """Starts it, or shows the form again with what is wrong."""
    form = {
        "instruction": instruction,
        "start_url": start_url,
        "allow": allow,
        "policy": policy,
        "env": env,
        "max_steps": max_steps,
        "approve": approve,
    }
    try:
        values = {
            "instruction": instruction,
            "start_url": start_url or None,
            "allow": allow.replace(",", " ").split(),
            "policy": policy or None,
            "env": env,
            "max_steps": max_steps,
            "approve": approve or None,
            "screenshots": True,
        }
        task = task_routes.create_task(TaskRequest.model_validate(values), state, Response())
    except (ValidationError, ApiError) as error:
        agents = list_agents(state)
        problem = describe_problem(error)
        return render(
            "new.html", 422, path="/console/new", agents=agents, form=form, problem=problem
        )
    return RedirectResponse(f"/console/tasks/{task.id}", HTTPStatus.SEE_OTHER)


def install(app: FastAPI) -> None:
    """Adds the console to the API's application. Whoever opens the bare address is led here."""
    app.include_router(router)
    app.include_router(evaluation_routes.router)
    routers = (run_routes, policy_routes, gym_routes, key_routes, system_routes, approval_routes)
    for module in (*routers, script_routes):
        app.include_router(module.router)
    # Around the gate: the pages of a gym are on a host name that is their key.
    app.add_middleware(Playgrounds)
    app.mount("/console/static", StaticFiles(packages=[("agent_server.web", "static")]))
    app.add_api_route("/", home, include_in_schema=False)
