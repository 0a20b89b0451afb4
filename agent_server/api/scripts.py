"""/v1/scripts: tasks that were done once, replayed without a model.

A script is made from a task's id, is carried out as a task (`script` of POST /v1/tasks), and is
mended from a task in which an agent took over.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import ValidationError

from agent_server.api.errors import PROBLEMS, ApiError
from agent_server.api.script_models import (
    ScriptCall,
    ScriptRequest,
    ScriptState,
    ScriptSummary,
)
from agent_server.api.state import ApiState, State
from agent_server.scripts.make import CannotScript
from agent_server.scripts.mend import script_of_episode
from agent_server.scripts.model import Script, ScriptPlay
from agent_server.scripts.report import list_fixed
from agent_server.store.scripts import SavedScript
from envs.contract.outcomes import ENDED_BY_AGENT
from envs.contract.task import Task

router = APIRouter(prefix="/scripts", tags=["scripts"])


@router.post("", status_code=201, responses=PROBLEMS)
def create_script(body: ScriptRequest, state: State) -> ScriptState:
    """Makes a script of a finished task, or takes a whole one. 422 where the task did not succeed,
    or where what it did cannot be repeated."""
    script = body.script
    if script is None:
        script = _script_of_task(state, body)
    saved = state.scripts.save(
        body.name, script.model_copy(update={"name": body.name}).model_dump(mode="json")
    )
    return _describe(saved)


def _script_of_task(state: ApiState, body: ScriptRequest) -> Script:
    assert body.task_id is not None
    row = state.newest(body.task_id)
    finished = row.reason in ENDED_BY_AGENT
    if not finished or row.success is False:
        detail = f"task {body.task_id} did not succeed: {row.reason or row.status}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
    steps, _ = state.artifacts.read_steps(row.id, 0)
    try:
        task = Task.model_validate(state.store.episodes.load_whole_task(row))
        return script_of_episode(body.name, task, steps, body.parameters, row.id)
    except (CannotScript, ValidationError) as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)[:1000]) from error


@router.get("", responses=PROBLEMS)
def list_scripts(state: State) -> list[ScriptSummary]:
    """By name, the newest version of each."""
    return [
        ScriptSummary(**_describe(saved).model_dump(exclude={"script"}))
        for saved in state.scripts.list_newest()
    ]


@router.get("/{name}", responses=PROBLEMS)
def get_script(
    name: str, state: State, version: Annotated[int | None, Query(ge=1)] = None
) -> ScriptState:
    """One version with all of it, by default the newest."""
    return _describe(_find(state, name, version))


@router.delete("/{name}", status_code=204, responses=PROBLEMS)
def delete_script(name: str, state: State) -> None:
    """Removes all versions. Tasks that were given the script keep it."""
    try:
        state.scripts.delete(name)
    except KeyError as error:
        raise ApiError(HTTPStatus.NOT_FOUND, str(error.args[0])) from error


def find_play(state: ApiState, call: ScriptCall) -> ScriptPlay:
    """The replay that a task asks for. Raises ApiError(404, 422)."""
    saved = _find(state, call.name, call.version)
    try:
        return ScriptPlay(
            script=_describe(saved).script, values=call.values, otherwise=call.otherwise
        )
    except ValidationError as error:
        message = str(error.errors(include_input=False)[0]["msg"]).removeprefix("Value error, ")
        detail = f"script {call.name}: {message}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error


def _find(state: ApiState, name: str, version: int | None) -> SavedScript:
    try:
        return state.scripts.get(name, version)
    except KeyError as error:
        raise ApiError(HTTPStatus.NOT_FOUND, str(error.args[0])) from error


def _describe(saved: SavedScript) -> ScriptState:
    script = Script.model_validate(saved.body)
    return ScriptState(
        name=saved.name,
        version=saved.version,
        instruction=script.task.instruction,
        parameters=script.examples,
        steps=len(script.steps),
        fixed=list_fixed(script),
        script=script,
    )
