"""What serves is recorded; what does not verify is recorded as rejected and ends the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.policy.manifest import MANIFEST, Manifest, Probe
from agent_server.policy.swap import SwapFailed, Swapper, SwapReport
from agent_server.settings import Settings
from agent_server.stack.served_version import serve_version
from agent_server.store.store import Store


class SwapperThatReports(Swapper):
    """Answers as a server with or without the right weights would: no real one has wrong ones."""

    accepts = True

    async def swap(self, folder: Path) -> SwapReport:
        reason = "" if self.accepts else "the probes differ by 2.1 nats a token"
        return SwapReport(7, self.accepts, 40.0, 0.001, 0.002, reason)


@pytest.fixture
def version(tmp_path: Path) -> Path:
    folder = tmp_path / "v000007"
    folder.mkdir()
    probe = Probe(token_ids=(1, 2), logprobs=(-0.5,))
    manifest = Manifest(version=7, sha256="0" * 64, probes=(probe,), created_at="2026-01-01")
    (folder / MANIFEST).write_text(manifest.model_dump_json())
    return folder


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
