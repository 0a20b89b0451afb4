"""Versions beside the one that serves are offered, and what an operator asks for is swapped in."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agent_server.policy.swap import SwapFailed, SwapReport
from agent_server.settings import Settings
from agent_server.stack.requested_versions import carry_out, offer_versions, serve_requests
from agent_server.stack.served_version import serve_version
from agent_server.store.store import Store
from tests.agent_server.stack.published import SwapperThatReports, publish

ADDRESS = "http://127.0.0.1:9"


class SwapperThatFails(SwapperThatReports):
    """As of a server that ended while it loaded."""

    async def swap(self, folder: Path) -> SwapReport:
        raise SwapFailed("the server does not answer")


async def test_a_version_that_is_asked_for_serves_and_an_older_request_does_not(
    tmp_path: Path,
) -> None:
    swapper = SwapperThatReports(ADDRESS)
    served = publish(tmp_path / "policy", 2)
    publish(tmp_path / "policy", 1)
    with Store.open(Settings(run_dir=tmp_path / "run")) as store:
        await serve_version(swapper, store.runs, served, "api")
        stale = store.runs.request_version(store.runs.versions("api")[0], None)
        server = asyncio.create_task(serve_requests(swapper, store.runs, served, "api"))
        async with asyncio.timeout(20):
            while len(rows := store.runs.versions("api")) < 3:
                await asyncio.sleep(0.01)
            assert [(row.version, row.status) for row in rows if row.id == stale] == [
                (2, "rejected")
            ]
            request = store.runs.request_version(rows[-1], parent=2)
            while store.runs.requested_version("api") is not None:
                await asyncio.sleep(0.01)
        server.cancel()
        await asyncio.wait([server])
        live = store.runs.live_version("api")
    assert live is not None
    assert (live.id, live.version, live.parent, live.pause_ms) == (request, 1, 2, 40.0)


async def test_what_does_not_load_is_recorded_with_the_reason(tmp_path: Path) -> None:
    served = publish(tmp_path / "policy", 2)
    with Store.open(Settings(run_dir=tmp_path / "run")) as store:
        await serve_version(SwapperThatReports(ADDRESS), store.runs, served, "api")
        store.runs.request_version(store.runs.versions("api")[0], 2)
        row = store.runs.requested_version("api")
        assert row is not None
        await carry_out(SwapperThatFails(ADDRESS), store.runs, row)
        refused = store.runs.versions("api")[-1]
    assert refused.status == "rejected"
    assert refused.verify == {"reason": "the server does not answer"}


def test_only_versions_of_the_served_folder_are_offered_and_each_once(tmp_path: Path) -> None:
    served = publish(tmp_path / "policy", 2)
    publish(tmp_path / "policy", 1)
    publish(tmp_path / "other", 9)
    (tmp_path / "policy" / "v000003").mkdir()
    (tmp_path / "policy" / "live").symlink_to("v000001")
    base = publish(tmp_path / "bases", 1).rename(tmp_path / "bases" / "small")
    with Store.open(Settings(run_dir=tmp_path / "run")) as store:
        for _ in range(2):
            offer_versions(store.runs, served, "api")
            offer_versions(store.runs, base, "api")
        assert [row.version for row in store.runs.versions("api")] == [1, 2]
