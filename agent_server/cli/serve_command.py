"""`deskhand serve`: a stack with its HTTP API, until it is stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from agent_server.agents.config import load_configured
from agent_server.agents.endpoint_file import write_endpoint
from agent_server.api.state import API_RUN
from agent_server.evaluation.job.plan import Provider
from agent_server.evaluation.job.runner import DESKTOP_TREE_CHARS, PAGE_TREE_CHARS
from agent_server.evaluation.job.stamp import image_of_desktops
from agent_server.policy.envelope import EnvelopeError, read_envelope
from agent_server.secrets_file import load_secrets
from agent_server.stack.local_stack import Stack, StackConfig
from agent_server.stack.requested_versions import serve_requests
from agent_server.stack.running import run_until_failure
from agent_server.stack.served_version import serve_version
from agent_server.store.profiles import load_keys
from agent_server.store.store import Store
from agent_server.webhooks_file import load_webhooks
from envs.desktop.size import SIZE, Size


def make_config(
    *,
    desktops: int,
    desktop_provider: Provider,
    desktop_image: str,
    screen: Size | None,
    agents: tuple[Path, ...],
    endpoint: tuple[str, str] | None,
    secrets: Path | None,
    profile_keys: Path | None,
    envelope: Path | None,
    webhooks: Path | None,
    sessions: int,
    drain_s: float,
    **parts: Any,
) -> StackConfig:
    """The stack to serve, whose API stamps evaluations with the image of the desktops. `endpoint`:
    URL and name of a model, an agent before those of `agents`; `sessions`: lent to callers' own
    agents at once; `parts`: of StackConfig. Raises what reading the files raises, and
    EpisodeFault(HOST_START) for an image that is not there."""
    if endpoint is not None:
        agents = (write_endpoint(parts["run_dir"], *endpoint), *agents)
    load_configured(agents)
    load_secrets(secrets)
    load_webhooks(webhooks)
    if profile_keys is not None:
        load_keys(profile_keys)
    if envelope is not None:
        if parts.get("policy_dir") is None:
            raise EnvelopeError("--envelope guards the model of --model, and there is none")
        read_envelope(envelope)
    image = image_of_desktops(desktop_provider, desktop_image) if desktops else ""
    return StackConfig(
        desktops=desktops,
        desktop_provider=desktop_provider,
        desktop_image=desktop_image,
        screen=screen or SIZE,
        tree_chars=DESKTOP_TREE_CHARS if desktops else PAGE_TREE_CHARS,
        extra={
            "agents": agents,
            "secrets": secrets,
            "profile_keys": profile_keys,
            "envelope": envelope,
            "webhooks": webhooks,
            "max_sessions": sessions,
            "host_image": image,
            "drain_s": drain_s,
        },
        **parts,
    )


async def serve_until_stopped(config: StackConfig, console: Console) -> None:
    """Starts the stack, prints where it is, and ends with its failure or when it is cancelled."""
    console.print("starting ...")
    async with Stack(config) as stack:
        if stack.swapper is not None and config.policy_dir is not None:
            with Store.open(stack.settings) as store:
                # Without links: the versions beside it are offered by their own folders.
                folder = config.policy_dir.resolve()
                await serve_version(stack.swapper, store.runs, folder, API_RUN)
                print_addresses(stack, console)
                work = serve_requests(stack.swapper, store.runs, folder, API_RUN)
                await run_until_failure(work, stack.failure)
        print_addresses(stack, console)
        if stack.failure is not None:
            await stack.failure


def print_addresses(stack: Stack, console: Console) -> None:
    """Where the stack is, and its key."""
    console.print(f"console: {stack.api_url}/console/", highlight=False)
    console.print(f"API: {stack.api_url}/docs", highlight=False)
    console.print(f"key: {stack.settings.api_key}", highlight=False)
