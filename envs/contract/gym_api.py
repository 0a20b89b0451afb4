"""The gym server's admin routes, as both ends know them: header, statuses, bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from envs.contract.session import Verdict
from envs.contract.task import Task

ADMIN_HEADER = "X-Admin-Token"
APPLICATIONS = frozenset({"mediawiki", "trac", "wordpress"})
"""Gyms whose pages are those of applications of others, made for a browser that draws by itself."""


def has_own_pages(gym: str | None) -> bool:
    """Whether the pages of this gym are the project's own: they keep nothing in their tab, ask
    nothing when they are left, and need no frame that nobody looks at."""
    return gym is not None and gym not in APPLICATIONS


@dataclass(frozen=True, slots=True)
class PageScripts:
    """How the host drives a page that owns its task's state: JavaScript expressions, run in the
    page's own world."""

    begin: str
    """Begins the task in the loaded page. True; or false if this page cannot: then load it anew."""
    elapse: str
    """A function to call after each action, with the milliseconds it waited, or null."""
    report: str
    """What the page knows of the task, as JSON; it becomes `after["page"]`."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SessionReady(_Model):
    """A session at the start of its task. `page`: how to drive a page that owns its state."""

    start_path: str
    state_hash: str
    page: PageScripts | None = None


class SessionCopied(_Model):
    """A copy of a session, its forms' proofs included."""

    state_hash: str


class SessionView(_Model):
    """A session with its states at the start and now."""

    task: Task
    before: dict[str, Any]
    after: dict[str, Any]
    state_hash: str


class VerdictRequest(_Model):
    """`page`: the report of a page that owns its state. `keep`: the reply includes the change."""

    answer: str | None = None
    infeasible: bool = False
    page: dict[str, Any] | None = None
    keep: bool = False


class VerdictReply(Verdict):
    """A verdict, and the hash of the state it was given for. `change`: see `GymEvidence`."""

    state_hash: str
    change: dict[str, Any] | None = None


class ToolReply(_Model):
    """`error`: why the app refused; then nothing was changed."""

    value: Any = None
    error: str | None = None


class Deleted(_Model):
    """Whether there was a session to delete."""

    deleted: bool
