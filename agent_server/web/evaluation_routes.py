"""/console/evaluations: all of them, one as its trials end, two compared, a form to start one."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import ValidationError

from agent_server.api import evaluations
from agent_server.api.agents import choose_policy, list_agents
from agent_server.api.errors import ApiError
from agent_server.api.evaluation_models import EvaluationRequest
from agent_server.api.state import State
from agent_server.evaluation.figures.compare import NotComparable, compare_evaluations
from agent_server.evaluation.job.failures import clusters
from agent_server.evaluation.job.results import trials_of
from agent_server.web.evaluation_rows import (
    describe_duration,
    list_task_trials,
    make_evaluation_badge,
    name_of,
    tally,
)
from agent_server.web.page_route import PageRoute, describe_problem, is_piece
from agent_server.web.pages import render
from agent_server.web.rows import describe_age
from tasksets.registry import gyms

router = APIRouter(prefix="/console/evaluations", include_in_schema=False, route_class=PageRoute)

PATH = "/console/evaluations"
PAGE_TRIALS = 200
SHOWN_FAILURES = 20
"""Trials that are listed of one cause."""
DEFAULTS = {"gym": "shop", "templates": "", "episodes": "210", "trials": "1", "max_steps": ""}
DEFAULTS |= {"seed": "0", "controls": "", "screenshots": "on", "policy": "", "tasks": ""}


@router.get("")
def show_evaluations(request: Request, state: State) -> HTMLResponse:
    """All of the newest, newest first; kept up to date."""
    now = datetime.now(UTC)
    rows = [
        (entry, name_of(entry), make_evaluation_badge(entry), describe_age(entry.created_at, now))
        for entry in evaluations.list_evaluations(state)
    ]
    template = "evaluations_rows.html" if is_piece(request) else "evaluations.html"
    return render(template, path=PATH, rows=rows)


@router.get("/new")
def show_new_evaluation(state: State) -> HTMLResponse:
    """The form."""
    form = DEFAULTS | {"policy": choose_policy(state, None)}
    return _render_form(state, form, "")


def _render_form(state: State, form: dict[str, str], problem: str) -> HTMLResponse:
    return render(
        "evaluation_new.html",
        422 if problem else 200,
        path=PATH,
        agents=list_agents(state),
        gyms=list(gyms()),
        form=form,
        problem=problem,
    )


@router.post("/new")
def create_evaluation(
    state: State,
    gym: Annotated[str, Form()],
    policy: Annotated[str, Form()],
    tasks: Annotated[str, Form()] = "",
    templates: Annotated[str, Form()] = "",
    episodes: Annotated[str, Form()] = "210",
    trials: Annotated[str, Form()] = "1",
    max_steps: Annotated[str, Form()] = "",
    seed: Annotated[str, Form()] = "0",
    controls: Annotated[str, Form()] = "",
    screenshots: Annotated[str, Form()] = "",
) -> Response:
    """Starts it, or shows the form again with what is wrong."""
    form = {
        "gym": gym,
        "policy": policy,
        "tasks": tasks,
        "templates": templates,
        "episodes": episodes,
        "trials": trials,
        "max_steps": max_steps,
        "seed": seed,
        "controls": controls,
        "screenshots": screenshots,
    }
    values: dict[str, Any] = form | {
        "tasks": None,
        "templates": templates.replace(",", " ").split(),
        "max_steps": max_steps or None,
        "controls": bool(controls),
        "screenshots": bool(screenshots),
    }
    try:
        if tasks.strip():
            values |= {"gym": None, "tasks": _read_task_files(tasks)}
        created = evaluations.create_evaluation(EvaluationRequest.model_validate(values), state)
    except (ValidationError, ApiError) as error:
        return _render_form(state, form, describe_problem(error))
    return RedirectResponse(f"{PATH}/{created.id}", HTTPStatus.SEE_OTHER)


def _read_task_files(text: str) -> list[Any]:
    """One task file or a list of them, as JSON; a file that says nothing else is for a desktop, as
    OSWorld's are. Raises ApiError."""
    try:
        read = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"task files: no JSON: {error}") from error
    files = read if isinstance(read, list) else [read]
    return [{"env": "desktop"} | file if isinstance(file, dict) else file for file in files]


@router.get("/compare")
def show_comparison(state: State, first: str = "", second: str = "") -> HTMLResponse:
    """Two evaluations, paired by task; without them only the form that chooses."""
    known = [(entry.id, name_of(entry)) for entry in evaluations.list_evaluations(state)]
    comparison, names, problem = None, ("", ""), ""
    if first and second:
        plans = [evaluations.find_evaluation(state, name)[1] for name in (first, second)]
        # Whether a trial solved its task stands in the database: no trajectory is needed.
        first_run, second_run = (
            (plan, trials_of(plan, state.store, state.artifacts, lambda _: False)) for plan in plans
        )
        names = (plans[0].spec.policy, plans[1].spec.policy)
        try:
            comparison = compare_evaluations(first_run, second_run, force=True)
        except NotComparable as error:
            problem = str(error)
    return render(
        "comparison.html",
        path=PATH,
        known=known,
        first=first,
        second=second,
        names=names,
        comparison=comparison,
        problem=problem,
    )


@router.get("/{evaluation_id}")
def show_evaluation(
    request: Request, evaluation_id: str, state: State, ended: int = -1
) -> Response:
    """One evaluation. `ended`: what the asking page shows; it is not drawn again for the same."""
    current = evaluations.get_evaluation(evaluation_id, state)
    # htmx leaves a piece as it is where nothing is sent, and asks again.
    if is_piece(request) and current.status == "running" and current.ended == ended:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    _, plan = evaluations.find_evaluation(state, evaluation_id)
    left = current.seconds_left
    return render(
        "evaluation_live.html" if is_piece(request) else "evaluation.html",
        path=PATH,
        evaluation=current,
        name=name_of(current),
        badge=make_evaluation_badge(current),
        rows=tally(plan, state.store.episodes.members(evaluation_id)),
        left=None if left is None else describe_duration(left),
        age=describe_age(current.created_at, datetime.now(UTC)),
        stamp=plan.stamp,
    )


@router.get("/{evaluation_id}/failures")
def show_failures(evaluation_id: str, state: State) -> HTMLResponse:
    """A piece: unsolved trials of the evaluated policy by cause, the most frequent first."""
    row, plan = evaluations.find_evaluation(state, evaluation_id)
    trials = [
        trial
        for trial in trials_of(
            plan, state.store, state.artifacts, lambda episode: not episode.success
        )
        if trial.policy == plan.spec.policy and trial.episode_id and trial.outcome != "cancelled"
    ]
    return render(
        "evaluation_failures.html",
        evaluation_id=evaluation_id,
        is_running=row.status == "running",
        clusters=clusters(trials),
        shown=SHOWN_FAILURES,
        policy=plan.spec.policy,
    )


@router.get("/{evaluation_id}/tasks")
def show_tasks_of(
    evaluation_id: str,
    state: State,
    policy: str = "",
    domain: str = "",
    task: str = "",
    after: Annotated[int, Query(ge=0)] = 0,
) -> HTMLResponse:
    """The tasks of one row, each with its trials."""
    _, plan = evaluations.find_evaluation(state, evaluation_id)
    members = state.store.episodes.members(evaluation_id)
    rows = list_task_trials(plan, members, policy, domain, task)
    return render(
        "evaluation_tasks.html",
        path=PATH,
        evaluation_id=evaluation_id,
        rows=rows[after : after + PAGE_TRIALS],
        policy=policy,
        domain=domain,
        following=after + PAGE_TRIALS if len(rows) > after + PAGE_TRIALS else None,
    )


@router.post("/{evaluation_id}/cancel")
def cancel_evaluation(evaluation_id: str, state: State) -> Response:
    """Stops it; one that has ended meanwhile is only shown."""
    try:
        evaluations.cancel_evaluation(evaluation_id, state)
    except ApiError as error:
        if error.status is not HTTPStatus.CONFLICT:
            raise
    return RedirectResponse(f"{PATH}/{evaluation_id}", HTTPStatus.SEE_OTHER)
