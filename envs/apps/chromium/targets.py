"""What the Chromium on the desktop says over HTTP: where it is commanded, and which tabs are open.

Guarantees: Chromium is not started, and nothing is changed.
"""

from __future__ import annotations

from typing import Any

from envs.desktop.wrappers import CHROMIUM_PORT
from envs.io.json_client import JsonClient

BASE_URL = f"http://127.0.0.1:{CHROMIUM_PORT}"
TIMEOUT_S = 4.0
START_S = 2.0


def make_client(timeout_s: float = TIMEOUT_S) -> JsonClient:
    """For the functions below."""
    return JsonClient(BASE_URL, timeout_s=timeout_s)


async def fetch_command_url(client: JsonClient) -> str:
    """The address of the websocket that commands are sent to. Raises CallFailed."""
    reply = await client.call("GET", "/json/version", timeout_s=START_S)
    return str(reply.json()["webSocketDebuggerUrl"])


async def fetch_tabs(client: JsonClient) -> list[dict[str, Any]]:
    """Id, title and url of each tab, the one used last first. Raises CallFailed."""
    targets = (await client.call("GET", "/json/list")).json()
    return [target for target in targets if target["type"] == "page"]
