"""One Chromium, one site and one gym server for all tests of this folder, a session for each."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from envs.browser.chromium import Browsers
from tests.envs.browser.site import Visitor, serving, visiting
from tests.envs.gyms.harness import GymServer, running_server


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with serving() as base:
        yield base


@pytest.fixture(scope="session")
def dead_site() -> Iterator[str]:
    """An address that the browsers may open, where nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


@pytest.fixture(scope="session")
def server() -> Iterator[GymServer]:
    with running_server() as started:
        yield started


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browsers(site: str, dead_site: str, server: GymServer) -> AsyncIterator[Browsers]:
    made = Browsers(gym_url=server.url, sites=(site, dead_site))
    yield made
    await made.close()


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(site: str, browsers: Browsers) -> AsyncIterator[Visitor]:
    async with visiting(site, browsers) as made:
        yield made


@pytest.fixture(autouse=True)
def _limit_time(request: pytest.FixtureRequest) -> None:
    request.node.add_marker(pytest.mark.timeout(120))
