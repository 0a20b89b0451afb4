"""What serves is recorded; what does not verify is recorded as rejected and ends the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.policy.swap import SwapFailed
from agent_server.settings import Settings
from agent_server.stack.served_version import serve_version
from agent_server.store.store import Store
from tests.agent_server.stack.published import SwapperThatReports, publish


@pytest.fixture
def version(tmp_path: Path) -> Path:
    return publish(tmp_path, 7)


@pytest.mark.parametrize(("accepts", "status"), [(True, "live"), (False, "rejected")])
async def test_the_version_is_recorded_under_the_run(
    version: Path, tmp_path: Path, accepts: bool, status: str
) -> None:
    swapper = SwapperThatReports("http://127.0.0.1:9")
    swapper.accepts = accepts
    with Store.open(Settings(run_dir=tmp_path / "run")) as store:
        if accepts:
            await serve_version(swapper, store.runs, version, "api")
        else:
            with pytest.raises(SwapFailed, match="does not serve as it was trained: the probes"):
                await serve_version(swapper, store.runs, version, "api")
        (row,) = store.runs.versions("api")
    assert (row.version, row.status, row.pause_ms) == (7, status, 40.0)
    assert row.verify["mean_abs_diff"] == 0.001
