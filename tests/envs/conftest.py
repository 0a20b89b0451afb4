"""One desktop for all tests below; a fresh session for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.envs.desktop_box import Box, DesktopUser, desktop_box, desktop_user


@pytest.fixture(scope="session")
def box() -> Iterator[Box]:
    with desktop_box("--allow-shell") as started:
        yield started


@pytest.fixture
async def user(box: Box) -> AsyncIterator[DesktopUser]:
    async with desktop_user(box) as desktop:
        yield desktop
