"""One Chromium and one site for all tests of this folder; a session for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from envs.browser.chromium import Browsers
from tests.envs.browser.site import Visitor, serving, visiting


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with serving() as base:
        yield base


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browsers() -> AsyncIterator[Browsers]:
    made = Browsers()
    yield made
    await made.close()


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(site: str, browsers: Browsers) -> AsyncIterator[Visitor]:
    async with visiting(site, browsers) as made:
        yield made


@pytest.fixture(autouse=True)
def _bounded(request: pytest.FixtureRequest) -> None:
    request.node.add_marker(pytest.mark.timeout(120))
