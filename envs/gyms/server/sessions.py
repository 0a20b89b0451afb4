"""The gym server's sessions: one state per key, owned by the server, out of the page's reach.

Guarantees: a session lives until it is deleted, replaced, or idle longer than the TTL; never more
than `cap` exist; a form that was shown once counts once. Everything runs on one event loop and no
method awaits, so no locks are needed.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import orjson

from envs.contract.task import Task
from envs.gyms.server.gym import State

MAX_POSTS = 100


class TooManySessions(Exception):
    """The cap is reached and no session is idle long enough to go."""


@dataclass(frozen=True, slots=True)
class FormReply:
    """Where an accepted form led, and the message that was left for that page."""

    path: str
    flash: str | None


@dataclass(slots=True)
class GymSession:
    """One session: the task, its state at the start and now."""

    key: str
    task: Task
    before: State
    state: State
    used_at: float
    requests: int = 0
    disturbed_at: int = -9
    """Number of the request that was disturbed last."""
    unsaved_preview: State | None = None
    """What the next page shows instead of the state: changes that will turn out not to be saved."""
    unsaved_form: str = ""
    """The page of the form whose changes were not saved after all."""
    posts: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """Forms that were sent, for an audit to forge."""
    forms: int = 0
    """How many forms were shown; each has the number of its own that its token begins with."""
    replies: dict[str, FormReply] = field(default_factory=dict)
    """What became of accepted forms, by token: a form that comes again gets the same reply."""
    crash: str | None = None
    """The last error that an app did not handle; it is the app's answer, and a bug to an audit."""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    def record_post(self, path: str, form: dict[str, str]) -> None:
        """Keeps a form whose token was right."""
        if len(self.posts) < MAX_POSTS:
            self.posts.append((path, form))

    def form_token(self, action: str) -> str:
        """Proof that this session was shown this form, which posts to the path `action`.

        The secret changes with every reset, so a page of an earlier task cannot post."""
        self.forms += 1
        return self._sign(str(self.forms), action)

    def owns_token(self, action: str, token: str) -> bool:
        """Whether the token was made by `form_token` for this path."""
        number = token.partition(".")[0]
        return hmac.compare_digest(self._sign(number, action).encode(), token.encode())

    def _sign(self, number: str, action: str) -> str:
        proof = hmac.new(self.secret, f"{number} {action}".encode(), "sha256")
        return f"{number}.{proof.hexdigest()[:24]}"


T = TypeVar("T")


def _clone(state: T) -> T:
    copied: T = orjson.loads(orjson.dumps(state))
    return copied


class SessionStore:
    """Sessions by key. `clock` gives seconds."""

    def __init__(
        self,
        cap: int = 1024,
        ttl_s: float = 1800.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sessions: dict[str, GymSession] = {}
        self._cap, self._ttl_s, self._clock = cap, ttl_s, clock
        self.on_drop: Callable[[GymSession], None] = lambda session: None
        """Told of each session that is gone or replaced."""

    def __len__(self) -> int:
        return len(self._sessions)

    def put(self, key: str, task: Task, before: State, state: State) -> GymSession:
        """Creates or replaces. `before` and `state` must not share anything mutable."""
        if key not in self._sessions and len(self._sessions) >= self._cap:
            self.sweep()
            if len(self._sessions) >= self._cap:
                raise TooManySessions(f"{self._cap} gym sessions are in use; delete some")
        self.delete(key)
        session = GymSession(key, task, before, state, used_at=self._clock())
        self._sessions[key] = session
        return session

    def copy(self, session: GymSession, key: str) -> GymSession:
        """The same session under another key, replacing what was there; forms that were shown in
        one count in the other. Raises TooManySessions."""
        twin = self.put(key, session.task, _clone(session.before), _clone(session.state))
        twin.requests, twin.disturbed_at = session.requests, session.disturbed_at
        twin.unsaved_preview = _clone(session.unsaved_preview)
        twin.unsaved_form = session.unsaved_form
        twin.posts = [(path, dict(form)) for path, form in session.posts]
        twin.forms, twin.replies = session.forms, dict(session.replies)
        twin.crash, twin.secret = session.crash, session.secret
        return twin

    def get(self, key: str) -> GymSession | None:
        """The session, which is used from now on; None when there is none or it was idle."""
        session = self._sessions.get(key)
        if session is None:
            return None
        now = self._clock()
        if now - session.used_at > self._ttl_s:
            self.delete(key)
            return None
        session.used_at = now
        return session

    def of_task(self, task_id: str) -> GymSession | None:
        """The newest session of a task."""
        sessions = [entry for entry in self._sessions.values() if entry.task.id == task_id]
        return max(sessions, key=lambda entry: entry.used_at, default=None)

    def delete(self, key: str) -> bool:
        """Whether there was such a session."""
        session = self._sessions.pop(key, None)
        if session is not None:
            self.on_drop(session)
        return session is not None

    def sweep(self) -> int:
        """Drops what is idle longer than the TTL; returns how many."""
        now = self._clock()
        idle = [key for key, entry in self._sessions.items() if now - entry.used_at > self._ttl_s]
        for key in idle:
            self.delete(key)
        return len(idle)
