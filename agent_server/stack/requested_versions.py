"""Policy versions that an operator asks for while `deskhand serve --model` runs.

The process that owns the policy server carries requests out, for it alone has the server's control
key and puts the live version back after a restart. A request is a row of the database
(`RunStore.request_version`), so that the API needs neither.

Guarantees: a version serves only after the verified swap; one that does not load or verify is
recorded as rejected with the reason, and the version before goes on; only versions of the folder
that is served are offered.
"""

from __future__ import annotations

import asyncio
import logging
import re
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from agent_server.policy.manifest import MANIFEST, BadVersion
from agent_server.policy.swap import SwapFailed
from agent_server.policy.swap_all import VersionSwapper
from agent_server.stack.served_version import make_row, record_swap
from agent_server.store.runs import RunStore
from agent_server.store.tables import PolicyVersion

log = logging.getLogger(__name__)

POLL_S = 1.0
FOLDER = re.compile(r"v\d{6}")
"""Of a version that a training run published; a base policy stands alone."""


async def serve_requests(
    swapper: VersionSwapper, runs: RunStore, served: Path, run_id: str
) -> None:
    """Offers the versions beside the served one, and swaps in what is asked for; never returns."""
    await asyncio.to_thread(_refuse_old_requests, runs, run_id)
    while True:
        try:
            await asyncio.to_thread(offer_versions, runs, served, run_id)
            row = await asyncio.to_thread(runs.requested_version, run_id)
            if row is not None:
                await carry_out(swapper, runs, row)
        except SQLAlchemyError as error:
            # What serves goes on serving without a database for a while, as its workers do.
            log.warning("requests for policy versions cannot be read: %s", error)
        await asyncio.sleep(POLL_S)


def offer_versions(runs: RunStore, served: Path, run_id: str) -> None:
    """Records the versions beside the served one that the run does not know yet."""
    if FOLDER.fullmatch(served.name) is None:
        return
    known = {row.path for row in runs.versions(run_id)}
    for path in sorted(served.parent.glob(f"v*/{MANIFEST}")):
        folder = path.parent
        if str(folder) in known or FOLDER.fullmatch(folder.name) is None or folder.is_symlink():
            continue
        try:
            runs.add_version(make_row(folder, run_id))
        except BadVersion as error:
            log.warning("%s is not offered: %s", folder, error)


async def carry_out(swapper: VersionSwapper, runs: RunStore, row: PolicyVersion) -> None:
    """Swaps a requested version in and records what came of it."""
    assert row.id is not None
    try:
        record_swap(runs, row.id, await swapper.swap(Path(row.path)))
    except (BadVersion, SwapFailed) as error:
        # Of weights that do not load the server ends; its supervisor starts it with the version
        # before, which the swapper still names as the live one.
        log.warning("version %d is refused: %s", row.version, error)
        runs.set_version(row.id, "rejected", verify={"reason": str(error)})


def _refuse_old_requests(runs: RunStore, run_id: str) -> None:
    """What a server before this one was asked for is not wanted any more."""
    while (row := runs.requested_version(run_id)) is not None and row.id is not None:
        runs.set_version(row.id, "rejected", verify={"reason": "the server stopped before"})
