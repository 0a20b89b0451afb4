"""Desktops for the audits: one box for this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.envs.desktop_box import Box, DesktopUser, desktop_box, desktop_user


@pytest.fixture(scope="session")
def box() -> Iterator[Box]:
    with desktop_box() as running_box:
        yield running_box


@pytest.fixture
async def user(box: Box) -> AsyncIterator[DesktopUser]:
    async with desktop_user(box) as session_user:
        yield session_user
