"""One gym server process for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.envs.gyms.harness import GymServer, running_server


@pytest.fixture(scope="session")
def server() -> Iterator[GymServer]:
    with running_server() as started:
        yield started
