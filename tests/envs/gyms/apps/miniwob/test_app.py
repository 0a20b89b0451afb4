"""The package's files over HTTP."""

from __future__ import annotations

import http.client

import pytest

from envs.gyms.apps.miniwob.assets import is_installed
from envs.gyms.apps.miniwob.gym import MiniWoB
from tests.envs.gyms.harness import GymServer

if not is_installed():
    pytest.skip("the package miniwob is not installed", allow_module_level=True)


def test_files_are_served_to_sessions_only_with_their_types(server: GymServer) -> None:
    task = MiniWoB().make_task("click-test", 1)
    assert server.put("served", task)["start_path"] == "/miniwob/miniwob/click-test.html"
    with server.page_client("served") as client:
        script = client.get("/miniwob/core/core.js")
        assert script.headers["content-type"].startswith("text/javascript")
        assert "max-age" in script.headers["cache-control"]
        policy = script.headers["content-security-policy"]
        assert "form-action 'none'" in policy
        assert "script-src-attr 'none'" in policy
        assert client.get("/miniwob/core/nothing.js").status_code == 404
        assert client.post("/miniwob/core/core.js").status_code == 405
    with server.page_client("stranger") as client:
        assert client.get("/miniwob/core/core.js").status_code == 403
    # A plain connection: other clients normalize such paths before they send them.
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=10)
    for path in ("/miniwob/../registration.py", "/miniwob/%2e%2e/registration.py"):
        connection.request("GET", path, headers={"Cookie": "dh_session=served"})
        reply = connection.getresponse()
        assert reply.status in (403, 404)
        assert b"gymnasium" not in reply.read()
    connection.close()
