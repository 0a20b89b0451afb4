"""One replay from the shell, and scripts of recorded episodes.

Guarantees: everything that was started ends with the command; a script's file is only replaced by
the mended one when the task succeeded with an agent's help.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from agent_server.api.models import TaskRequest, TaskState
from agent_server.cli.run_command import UnfitTask, find_policy, list_sites, run_on_own_stack
from agent_server.evaluation.job.runner import PAGE_TREE_CHARS
from agent_server.scripts.files import read_script, write_script
from agent_server.scripts.make import CannotScript
from agent_server.scripts.mend import find_takeover, script_of_episode
from agent_server.scripts.model import Script, ScriptPlay
from agent_server.scripts.play import POLICY, make_script_task
from agent_server.settings import Settings
from agent_server.stack.local_stack import StackConfig
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from envs.contract.approval import Approve, Mode
from envs.contract.outcomes import ENDED_BY_AGENT, EndReason
from envs.contract.task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What the command line asked for."""

    file: Path
    values: Mapping[str, str]
    agent: str | None
    model: Path | None
    seed: int | None
    mends: bool
    run_dir: Path
    approve: Mode | None = None
    secrets: Path | None = None


async def run_script(replay: Replay, console: Console) -> bool:
    """Whether the task was finished. Raises UnfitTask, ScriptFileError, AgentFileError, and what
    `Stack` and the client raise."""
    script = read_script(replay.file)
    otherwise, files = find_policy(replay.agent) if replay.agent or replay.model else (None, ())
    try:
        play = ScriptPlay(script=script, values=dict(replay.values), otherwise=otherwise)
    except ValidationError as error:
        message = str(error.errors(include_input=False)[0]["msg"])
        raise UnfitTask(f"--set: {message.removeprefix('Value error, ')}") from error
    task = make_script_task(play, f"script-{script.name}", replay.seed)
    if replay.approve is not None:
        task = task.model_copy(update={"approve": Approve(mode=replay.approve)})
    config = StackConfig(
        run_dir=replay.run_dir,
        policy_dir=replay.model,
        concurrency=1,
        hosts=0 if task.env == "desktop" else 1,
        desktops=int(task.env == "desktop"),
        sites=list_sites(task.start_url, task.allow),
        tree_chars=PAGE_TREE_CHARS,
        extra={"agents": files, "secrets": replay.secrets},
    )
    request = TaskRequest(task=task, policy=POLICY, screenshots=False)
    state = await run_on_own_stack(config, request, console)
    if state is None:
        return False
    if replay.mends:
        _mend(replay, state, console)
    return state.success if state.success is not None else state.reason == EndReason.DONE


def _mend(replay: Replay, state: TaskState, console: Console) -> None:
    steps = Artifacts(str(replay.run_dir)).read_trajectory(state.id).steps
    if find_takeover(steps) is None or state.success is False or state.reason != EndReason.DONE:
        return
    script = read_script(replay.file)
    try:
        mended = script_of_recorded(replay.run_dir, state.id, script.name, {})
    except CannotScript as error:
        console.print(f"the script was not mended: {error}", markup=False)
        return
    write_script(replay.file, mended)
    console.print(f"mended {replay.file}: version {mended.version}", markup=False)


def script_of_recorded(
    run_dir: Path, episode_id: str, name: str, stated: Mapping[str, str]
) -> Script:
    """The script of an episode of a run folder. Raises KeyError without the episode, CannotScript
    where it did not succeed or cannot be repeated."""
    settings = Settings(**(Settings.from_env().model_dump() | {"run_dir": run_dir}))
    if not settings.database_url and not (run_dir / "deskhand.db").exists():
        raise KeyError(f"there is no database, and so no episode {episode_id!r},")
    with Store.open(settings) as store:
        row = store.episodes.latest(episode_id)
        if row is None:
            raise KeyError(f"there is no episode {episode_id!r}")
        task = Task.model_validate(store.episodes.load_whole_task(row))
    if row.success is False or row.reason not in ENDED_BY_AGENT:
        raise CannotScript(f"{episode_id} did not succeed: {row.reason or row.status}")
    steps = Artifacts(settings.artifacts).read_trajectory(row.id).steps
    return script_of_episode(name, task, steps, stated, row.id)
