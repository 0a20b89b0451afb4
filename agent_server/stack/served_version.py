"""The record of what a policy server serves, and the version that `deskhand serve` and evaluations
put into their own one.

Guarantees: what serves is verified, recorded, and shown by /v1/policy; a version that does not
verify is recorded as rejected and serves nobody.
"""

from __future__ import annotations

from pathlib import Path

from agent_server.policy.manifest import parse_manifest
from agent_server.policy.swap import SwapFailed, SwapReport
from agent_server.policy.swap_all import VersionSwapper
from agent_server.store.runs import RunStore
from agent_server.store.tables import PolicyVersion


async def serve_version(swapper: VersionSwapper, runs: RunStore, folder: Path, run_id: str) -> None:
    """Swap the version in and record it under the run. Raises BadVersion, and SwapFailed also for
    a version that does not answer as the learner computed."""
    row_id = runs.add_version(make_row(folder, run_id))
    report = await swapper.swap(folder)
    record_swap(runs, row_id, report)
    if not report.accepted:
        raise SwapFailed(f"{folder} does not serve as it was trained: {report.reason}")


def record_swap(runs: RunStore, row_id: int, report: SwapReport) -> None:
    """Record the result of a swap in the row of its version."""
    runs.set_version(
        row_id,
        "live" if report.accepted else "rejected",
        verify={
            "mean_abs_diff": report.mean_abs_diff,
            "max_abs_diff": report.max_abs_diff,
            "reason": report.reason,
        },
        pause_ms=report.pause_ms,
    )


def make_row(folder: Path, run_id: str) -> PolicyVersion:
    """The record of a published version that did not serve yet. Raises BadVersion."""
    manifest = parse_manifest(folder)
    return PolicyVersion(
        run_id=run_id,
        version=manifest.version,
        path=str(folder),
        sha256=manifest.sha256,
        phase=manifest.phase,
    )
