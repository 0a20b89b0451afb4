"""One stack with a real Chromium for all tests of sessions."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from agent_server.stack.local_stack import Stack, StackConfig
from deskhand import AsyncClient
from tests.envs.browser.site import serving


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def lending_stack(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[tuple[Stack, str]]:
    """A stack that lends two sessions, and a site that their browsers may open."""
    with serving() as site:
        run_dir = tmp_path_factory.mktemp("run")
        config = StackConfig(run_dir=run_dir, concurrency=2, sites=(site,))
        async with Stack(config) as running:
            yield running, site


@pytest_asyncio.fixture(loop_scope="session")
async def api_client(lending_stack: tuple[Stack, str]) -> AsyncIterator[AsyncClient]:
    """None of its sessions is left open."""
    running, _ = lending_stack
    async with AsyncClient(running.api_url, running.settings.api_key) as opened:
        yield opened
        for session in await opened.list_sessions():
            await opened.close_session(session.id)
