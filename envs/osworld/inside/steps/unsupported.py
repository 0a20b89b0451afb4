"""Setup steps of OSWorld that cannot run here: each raises an error that says why."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from envs.osworld.format.getters import Parameters

REASONS = {
    "googledrive": "it needs a Google account, and tasks here have none",
    "login": "it needs an account of a site, and tasks here have none",
    "proxy": "the machine has no way out, so there is nothing to send through a proxy",
    "tidy_desktop": "OSWorld names this step and does not define it",
    "act": "OSWorld names this step and does not define it",
    "replay": "OSWorld names this step and does not define it",
}
"""By step type."""


class UnsupportedStep(Exception):
    """A step that is known and cannot be run."""


def _make_step(reason: str) -> Callable[[Any, Mapping[str, Any]], Awaitable[None]]:
    async def raise_unsupported(machine: Any, parameters: Parameters) -> None:
        raise UnsupportedStep(reason)

    return raise_unsupported


STEPS = {kind: _make_step(reason) for kind, reason in REASONS.items()}
