"""The client of VLC's HTTP interface inside the box, for tools and getters alike.

Guarantees: one page a call, on a connection of its own: VLC may have been started again since the
last one.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import urlencode

from envs.desktop.profiles.pristine import VLC_PASSWORD
from envs.desktop.wrappers import VLC_PORT
from envs.io.json_client import HttpReply, JsonClient

BASE_URL = f"http://127.0.0.1:{VLC_PORT}"


async def fetch_page(
    page: str,
    parameters: Mapping[str, str] | None = None,
    *,
    timeout_s: float,
    password: str = VLC_PASSWORD,
    base_url: str = BASE_URL,
) -> HttpReply:
    """A page such as "status.json", whatever its status; `parameters` may be a command. Raises
    CallFailed."""
    login = b64encode(f":{password}".encode()).decode()
    path = f"/requests/{page}" + (f"?{urlencode(parameters)}" if parameters else "")
    headers = {"Authorization": f"Basic {login}"}
    async with JsonClient(base_url, timeout_s=timeout_s, headers=headers) as client:
        return await client.call("GET", path)
