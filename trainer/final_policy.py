"""Which of a run's policies is its result: chosen on dev tasks, never on what the report quotes.

A phase can end worse than it began, above all a short one with few groups. The versions at the ends
of the phases compete on the same dev tasks; a later one wins a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent_server.policy.manifest import version_folder
from trainer.context import Context, PhaseRecord


def best_on_dev(records: Sequence[PhaseRecord]) -> PhaseRecord | None:
    """The phase with the best policy on dev tasks; None where none was tried on them."""
    tried = [record for record in records if record.dev]
    return max(reversed(tried), key=lambda record: float(record.dev["success_rate"]), default=None)


async def serve_final_policy(context: Context) -> None:
    """Swaps the best policy in, where it is not live: it is what is evaluated from now on, what
    `live` points to, and what a user serves."""
    best = best_on_dev(context.records)
    if best is None or best.policy_version == context.version:
        return
    context.progress.show_detail(f"going back to the policy of {best.name}, the best on dev tasks")
    report = await context.swap(version_folder(context.run_dir / "policy", best.policy_version))
    if report.accepted:
        context.version = best.policy_version


def final_figures(records: Sequence[PhaseRecord]) -> dict[str, Any] | None:
    """`final` of report.json: the chosen phase, its figures on the reported split, and all phases'
    on dev; None before the end or where nothing was chosen."""
    best = best_on_dev(records)
    if best is None or not best.eval:
        return None
    return {
        "phase": best.name,
        "policy_version": best.policy_version,
        **{key: best.eval[key] for key in ("success_rate", "ci95", "n", "lost")},
        "dev": {
            record.name: {key: record.dev[key] for key in ("success_rate", "ci95", "n")}
            for record in records
            if record.dev
        },
    }
