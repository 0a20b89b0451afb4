"""Setup steps of OSWorld that are not run here: each is a failure that says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.verify.machine import Machine
from envs.verify.setup import step

REFUSED = {
    "googledrive": "it needs a Google account, and tasks here have none",
    "login": "it needs an account of a site, and tasks here have none",
    "proxy": "the machine has no way out, so there is nothing to send through a proxy",
    "tidy_desktop": "OSWorld names this step and does not define it",
    "act": "OSWorld names this step and does not define it",
    "replay": "OSWorld names this step and does not define it",
}
"""By step type, why it is not run."""


class StepRefused(Exception):
    """A step that is known and not run."""


def _refuse(kind: str, why: str) -> None:
    @step(kind)
    async def refused(machine: Machine, given: Mapping[str, Any]) -> None:
        raise StepRefused(why)


for _kind, _why in REFUSED.items():
    _refuse(_kind, _why)
