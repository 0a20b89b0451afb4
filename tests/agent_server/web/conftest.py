"""The console of an application in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from tests.agent_server.api_process import KEY


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    return settings.model_copy(update={"api_key": KEY})


@pytest.fixture
def browser(keyed: Settings) -> Iterator[TestClient]:
    """Signed in."""
    with TestClient(create_app(keyed), base_url="http://console") as opened:
        reply = opened.post("/console/sign-in", data={"key": KEY}, follow_redirects=False)
        assert (reply.status_code, reply.headers["location"]) == (303, "/console/")
        yield opened
