"""Web gyms for people: each app on a host name of its own, which only signed-in pages know.

    http://shop-<secret>.localhost:8000/_play/<secret>

Browsers resolve every name below `localhost` to the machine they run on, so an app has an origin of
its own without a port of its own, and works wherever the console's port is forwarded to.

Guarantees: a name holds an HMAC under the API key, compared in constant time, and opens the pages
of its gym only; the pages are of another site than the console, so its cookie is not sent to them
and its forms cannot be sent from them; a gym's player is made at the first request to it.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from urllib.parse import urlencode

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from envs.gyms.server.play import create_player
from envs.gyms.server.registry import web_gyms

SUFFIX = ".localhost"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
_PURPOSE = b"deskhand play "


def make_link(api_key: str, host: str, gym: str, template: str, seed: int) -> str:
    """Where a gym's app is played. `host`: of the request for the page that shows the link."""
    secret = _sign(api_key, gym)
    _, _, port = host.rpartition(":") if not host.endswith("]") else ("", "", "")
    place = f":{port}" if port.isdecimal() else ""
    query = urlencode({"template": template, "seed": seed})
    name = gym.replace("_", "-")
    return f"http://{name}-{secret}{SUFFIX}{place}/_play/{secret}?{query}"


def is_loopback(host: str) -> bool:
    """Whether a page was asked for at an address of the reader's own machine."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name in LOOPBACK


class Playgrounds:
    """ASGI middleware around the whole application: names of gyms lead to their players."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._players: dict[str, ASGIApp] = {}
        self._making = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves the player of a gym's name; everything else goes to the application."""
        gym = None
        if scope["type"] == "http":
            api_key = scope["app"].state.deskhand.settings.api_key
            gym = find_gym(api_key, Headers(scope=scope).get("host", "").partition(":")[0])
        if gym is None:
            await self._app(scope, receive, send)
            return
        async with self._making:
            if gym not in self._players:
                secret = _sign(api_key, gym)
                made = await asyncio.to_thread(create_player, web_gyms()[gym], None, 0, 0.0, secret)
                self._players[gym] = made[0]
        await self._players[gym](scope, receive, send)


def find_gym(api_key: str, name: str) -> str | None:
    """The gym whose host name this is; None where it is no gym's."""
    if not api_key or not name.endswith(SUFFIX):
        return None
    secret = name.removesuffix(SUFFIX).rpartition("-")[2].encode()
    for gym in web_gyms():
        if hmac.compare_digest(secret, _sign(api_key, gym).encode()):
            return gym
    return None


def _sign(api_key: str, gym: str) -> str:
    digest = hmac.new(api_key.encode(), _PURPOSE + gym.encode(), hashlib.sha256)
    return digest.hexdigest()[:32]
