"""Which policy versions an operator may put live from the console, and which one served before.

Guarantees: nothing is asked of a policy server that nobody would hear; only versions of the folder
that is served are offered, for another model's weights do not fit the running server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from agent_server.api.errors import ApiError
from agent_server.api.runs import versions_of
from agent_server.api.state import API_RUN, ApiState
from agent_server.store.runs import SwapWaits
from agent_server.store.tables import PolicyVersion


@dataclass(frozen=True, slots=True)
class ServedVersions:
    """Versions of the newest run that has any. `swaps`: what was put live or refused, the newest
    first; `offered`: one row a folder, the newest version first; `before`: what a roll back leads
    to; `refusal`: why nothing can be changed here."""

    swaps: Sequence[PolicyVersion]
    offered: Sequence[PolicyVersion]
    live: PolicyVersion | None
    waiting: PolicyVersion | None
    before: PolicyVersion | None
    refusal: str


def get_served(state: ApiState) -> ServedVersions:
    """As the database has it now."""
    rows = versions_of(state)
    live = [row for row in rows if row.status == "live"]
    current = live[-1] if live else None
    near = [row for row in rows if current is None or _is_beside(row, current)]
    by_folder = {row.path: row for row in near}
    return ServedVersions(
        swaps=[row for row in reversed(rows) if row.status != "published"],
        offered=sorted(by_folder.values(), key=lambda row: row.version, reverse=True),
        live=current,
        waiting=next((row for row in rows if row.status == "requested"), None),
        before=_find_before(live),
        refusal=_why_refused(state, current),
    )


def promote(state: ApiState, row_id: int) -> None:
    """Asks for the swap to this version. Raises ApiError."""
    served = get_served(state)
    chosen = next((row for row in served.offered if row.id == row_id), None)
    if chosen is None and not served.refusal and not served.waiting:
        raise ApiError(HTTPStatus.NOT_FOUND, "there is no such version beside the one that serves")
    _request(state, served, chosen)


def roll_back(state: ApiState) -> None:
    """Asks for the version that served before. Raises ApiError."""
    served = get_served(state)
    if served.before is None and not served.refusal:
        raise ApiError(HTTPStatus.CONFLICT, "no other version has served before this one")
    _request(state, served, served.before)


def _request(state: ApiState, served: ServedVersions, chosen: PolicyVersion | None) -> None:
    if served.refusal or chosen is None:
        raise ApiError(HTTPStatus.CONFLICT, served.refusal or str(SwapWaits()))
    try:
        parent = served.live.version if served.live else None
        state.store.runs.request_version(chosen, parent)
    except SwapWaits as error:
        raise ApiError(HTTPStatus.CONFLICT, str(error)) from error


def _why_refused(state: ApiState, current: PolicyVersion | None) -> str:
    if not state.settings.policy_urls:
        return "No policy server is served here: start with deskhand serve --model DIR."
    if current is None:
        return "The policy server has no version yet."
    if current.run_id != API_RUN:
        # The trainer swaps after each of its steps, and would swap this one out again.
        return f"The run {current.run_id} decides which version its policy server has."
    return ""


def _find_before(live: Sequence[PolicyVersion]) -> PolicyVersion | None:
    """The last one that served before the current one, of the same folder of versions."""
    if not live:
        return None
    earlier = (row for row in reversed(live[:-1]) if row.path != live[-1].path)
    return next((row for row in earlier if _is_beside(row, live[-1])), None)


def _is_beside(row: PolicyVersion, current: PolicyVersion) -> bool:
    return row.run_id == current.run_id and Path(row.path).parent == Path(current.path).parent
