"""`deskhand desktop`: one desktop on this machine, to watch, to take over, and to call."""

from __future__ import annotations

import secrets

import orjson
from pydantic import BaseModel
from rich.console import Console

from envs.client import HostClient, RemoteSession
from envs.contract.observations import Observe
from envs.contract.task import Task
from envs.io.settings import EnvSettings
from envs.providers.local import free_port, wait_healthy
from envs.providers.sandbox import start_sandboxed_desktop

START_S = 60.0


class _View(BaseModel):
    url_path: str


async def run_desktop(console: Console, port: int | None, allow_shell: bool) -> None:
    """Run a desktop until its box ends. Raises EpisodeFault(HOST_START)."""
    token = EnvSettings.from_env().host_token or secrets.token_urlsafe(24)
    chosen = port or free_port()
    url = f"http://127.0.0.1:{chosen}"
    console.print("starting a desktop ...")
    async with start_sandboxed_desktop(chosen, token, allow_shell) as box:
        await wait_healthy(f"{url}/v1/health", box, START_S)
        async with HostClient(url, token) as client:
            session = await client.open("desktop")
            try:
                task = Task(id="deskhand-desktop", instruction="", env="desktop")
                await session.reset(task, Observe(tree=False))
                lines = {
                    "watch": url + await _view(client, session, control=False),
                    "take over": url + await _view(client, session, control=True),
                    "session": url + session.path,
                    "token": token,
                }
                for name, value in lines.items():
                    console.print(f"{name:10} {value}", highlight=False, soft_wrap=True)
                console.print("Ctrl-C ends it")
                await box.wait()
            finally:
                await session.close()


async def _view(client: HostClient, session: RemoteSession, control: bool) -> str:
    body = orjson.dumps({"control": control})
    reply = await client.request("POST", f"{session.path}/view", body)
    return _View.model_validate_json(reply).url_path
