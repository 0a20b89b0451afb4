"""The DevTools client where no browser is there; real browsers are under tests/envs/browser."""

from __future__ import annotations

import pytest

from envs.io.cdp import CdpClosed, CdpConnection
from envs.providers.local import free_port


async def test_a_browser_that_does_not_listen_is_a_closed_connection() -> None:
    with pytest.raises(CdpClosed, match="no browser answers at ws://"):
        await CdpConnection.connect(f"ws://127.0.0.1:{free_port()}/devtools/browser/x")
