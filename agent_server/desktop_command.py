"""`deskhand desktop`: one desktop on this machine, to watch, to take over, and to call."""

from __future__ import annotations

import os
import secrets

from rich.console import Console

from envs.host.guard import TOKEN
from envs.providers.local import free_port, wait_healthy
from envs.providers.sandbox import sandboxed_desktop

START_S = 60.0


async def run_desktop(console: Console, port: int | None, allow_shell: bool) -> None:
    """Until the box ends. Raises EpisodeFault(HOST_START)."""
    token = os.environ.get(TOKEN) or secrets.token_urlsafe(24)
    chosen = port or free_port()
    url = f"http://127.0.0.1:{chosen}"
    console.print("starting a desktop ...")
    async with sandboxed_desktop(chosen, token, allow_shell) as box:
        await wait_healthy(f"{url}/v1/health", box, START_S)
        console.print(f"host:  {url}", highlight=False)
        console.print(f"token: {token}", highlight=False)
        console.print("Ctrl-C ends it")
        await box.wait()
