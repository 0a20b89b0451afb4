"""`deskhand run`: one task from the shell, on a stack of its own, watched step by step.

Guarantees: everything that was started ends with the command, also on Ctrl-C; the recorded steps
stay in the run folder; the exit code is 0 where the agent finished, 1 where it did not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
from pydantic import ValidationError
from rich.console import Console
from rich.markup import escape

from agent_server.agents.config import RESERVED, load_agent, load_configured
from agent_server.api.models import TaskRequest, TaskState
from agent_server.api.state import API_RUN
from agent_server.cli.ask_person import TerminalPerson
from agent_server.client.async_client import AsyncClient
from agent_server.episodes.compact import describe
from agent_server.episodes.trajectory import Step
from agent_server.evaluation.job.runner import DESKTOP_TREE_CHARS, PAGE_TREE_CHARS
from agent_server.secrets_file import choose_secrets, load_secrets
from agent_server.stack.local_stack import Stack, StackConfig
from agent_server.stack.served_version import serve_version
from agent_server.store.store import Store
from envs.contract.approval import Mode
from envs.contract.domains import LOOPBACK
from envs.contract.observations import parse_tree
from envs.contract.outcomes import EndReason
from envs.io.atomic_write import write_whole

MAX_SHOWN = 160
"""Characters of a thought or an action on one line."""


class UnfitTask(ValueError):
    """Options that do not go together; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellTask:
    """What the command line asked for. `agent`: a policy of Deskhand, or the file of an agent."""

    instruction: str
    url: str | None
    allow: tuple[str, ...]
    agent: str | None
    model: Path | None
    desktop: bool
    max_steps: int
    max_seconds: float
    run_dir: Path
    max_tokens: int | None = None
    max_cost: float | None = None
    schema: Path | None = None
    secrets_file: Path | None = None
    secrets: tuple[str, ...] = ()
    approve: Mode | None = None
    files: tuple[Path, ...] = ()
    profile: str | None = None
    save_profile: bool = False
    profile_keys: Path | None = None

    def to_request(self, policy: str) -> TaskRequest:
        """Raises pydantic.ValidationError with what does not fit together."""
        return TaskRequest(
            instruction=self.instruction,
            env="desktop" if self.desktop else "browser",
            start_url=self.url,
            allow=self.allow,
            policy=policy,
            screenshots=True,
            max_steps=self.max_steps,
            max_seconds=self.max_seconds,
            max_tokens=self.max_tokens,
            max_cost=self.max_cost,
            secrets=self.secrets,
            approve=self.approve,
            profile=self.profile,
            save_profile=self.save_profile,
            answer_schema=None if self.schema is None else _read_schema(self.schema),
        )


def _read_schema(path: Path) -> dict[str, Any]:
    try:
        schema = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise UnfitTask(f"--schema: cannot read {path}: {error}") from error
    if not isinstance(schema, dict):
        raise UnfitTask(f"--schema: {path} holds no object")
    return schema


def find_policy(agent: str | None) -> tuple[str, tuple[Path, ...]]:
    """The name that the task gives, and the agents' files. Raises AgentFileError."""
    if agent is None:
        return "live", ()
    if agent in RESERVED:
        return agent, ()
    load_configured([Path(agent)])
    return load_agent(agent).name, (Path(agent),)


async def run_task(task: ShellTask, console: Console) -> bool:
    """Whether the agent finished it. Raises UnfitTask, AgentFileError, SecretsFileError, and what
    `Stack` and the client raise."""
    policy, files = find_policy(task.agent)
    try:
        request = task.to_request(policy)
    except ValidationError as error:
        texts = (str(part["msg"]).removeprefix("Value error, ") for part in error.errors())
        raise UnfitTask("; ".join(texts)) from error
    try:
        choose_secrets(load_secrets(task.secrets_file), task.secrets)
    except KeyError as error:
        raise UnfitTask(f"--secret: {error.args[0]}; --secrets FILE names them") from error
    config = StackConfig(
        run_dir=task.run_dir,
        policy_dir=task.model,
        concurrency=1,
        hosts=0 if task.desktop else 1,
        desktops=int(task.desktop),
        sites=list_sites(task.url, task.allow),
        tree_chars=DESKTOP_TREE_CHARS if task.desktop else PAGE_TREE_CHARS,
        extra={"agents": files, "secrets": task.secrets_file, "profile_keys": task.profile_keys},
    )
    state = await run_on_own_stack(config, request, console, read_files(task.files))
    return state is not None and state.reason == EndReason.DONE


def read_files(paths: Sequence[Path]) -> list[tuple[str, bytes]]:
    """Names and bytes. Raises UnfitTask."""
    try:
        return [(path.name, path.read_bytes()) for path in paths]
    except OSError as error:
        raise UnfitTask(f"--file: cannot read {error.filename}: {error.strerror}") from error


async def run_on_own_stack(
    config: StackConfig,
    request: TaskRequest,
    console: Console,
    files: Sequence[tuple[str, bytes]] = (),
) -> TaskState | None:
    """Starts a stack for one task with these files, and follows it; how the task ended, None where
    it was lost from sight. What it made is in the run folder. Raises what `Stack` and the client
    raise."""
    console.print("starting ...")
    async with Stack(config) as stack:
        if stack.swapper is not None and config.policy_dir is not None:
            with Store.open(stack.settings) as store:
                await serve_version(stack.swapper, store.runs, config.policy_dir, API_RUN)
        async with AsyncClient(stack.api_url, stack.settings.api_key) as client:
            uploads = [(await client.upload_file(name, data)).id for name, data in files]
            request = request.model_copy(update={"files": tuple(uploads)})
            state = await _follow(client, request, config.run_dir, console)
            if state is not None:
                await _save_files(client, state.id, config.run_dir, console)
            return state


async def _save_files(client: AsyncClient, task_id: str, run_dir: Path, console: Console) -> None:
    """Writes what the task made into the run folder."""
    listed = await client.list_task_files(task_id)
    folder = run_dir / "files" / task_id
    for file in listed.files:
        if file.is_input:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / file.name, [await client.get_task_file(task_id, file.name)])
        console.print(f"made: {folder / file.name} ({file.size} bytes)", highlight=False)
    for note in listed.notes:
        console.print(f"[yellow]not kept: {escape(note)}[/]", highlight=False)


async def _follow(
    client: AsyncClient, request: TaskRequest, run_dir: Path, console: Console
) -> TaskState | None:
    created = await client.create_task(request)
    console.print(f"task {created.id}, carried out by {created.policy}", highlight=False)
    person = TerminalPerson(client, created.id, run_dir, console)
    with console.status("the first page is opened") as status:
        async for event in client.follow_task(created.id):
            if event.kind == "approval":
                await person.turn_to(event.approval, status)
            if event.step is not None:
                console.print(describe_step(event.step), highlight=False)
            if event.state is not None:
                console.print(describe_end(event.state), highlight=False)
                console.print(f"deskhand replay {run_dir} {event.state.id}", highlight=False)
                return event.state
    return None


def list_sites(url: str | None, allow: tuple[str, ...]) -> tuple[str, ...]:
    """A page of this machine is a site that the browser is told of."""
    if url is None or allow or urlsplit(url).hostname not in LOOPBACK:
        return ()
    return (url,)


def describe_step(step: Step) -> str:
    """Its number, thought, action and result, as rich markup; and what was kept from the page."""
    action = "no action could be read"
    if step.action is not None:
        action = describe(step.action, parse_tree(step.tree))
    lines = [f"[bold]{step.index + 1}[/] {escape(action[:MAX_SHOWN])}"]
    if step.thought:
        lines.append(f"  [dim]{escape(step.thought[:MAX_SHOWN])}[/]")
    if not step.result.ok:
        lines.append(f"  [red]{escape(step.outcome[:MAX_SHOWN])}[/]")
    if step.refused_hosts:
        hosts = ", ".join(step.refused_hosts)
        lines.append(f"  [yellow]not reached (--allow): {escape(hosts[:MAX_SHOWN])}[/]")
    return "\n".join(lines)


def describe_end(state: TaskState) -> str:
    """What became of the task, as rich markup."""
    how = state.reason or state.status
    line = f"[bold]{how}[/] after {state.steps} step{'s' if state.steps != 1 else ''}"
    if state.tokens is not None:
        line += f", {state.tokens} tokens"
    if state.cost is not None:
        line += f", cost {state.cost:.4g}"
    if state.detail:
        line += f": {escape(state.detail)}"
    if state.result is not None:
        line += f"\n{escape(orjson.dumps(state.result, option=orjson.OPT_INDENT_2).decode())}"
    elif state.answer:
        line += f"\nanswer: {escape(state.answer)}"
    return line
