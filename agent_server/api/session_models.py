"""Requests and replies of /v1/sessions: an environment on loan to a caller's own agent."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agent_server.api.models import MAX_SEED
from envs.contract.browser_state import ProfileName
from envs.contract.domains import MAX_ENTRIES, check_start
from envs.contract.observations import Observation, Observe
from envs.contract.page_url import SITE_URL
from envs.contract.task import Domain, Env, Task
from tasksets.registry import get_gym

MAX_IDLE_S = 900.0
DAY_S = 86_400.0


class Loan(BaseModel):
    """How long a session is lent."""

    model_config = ConfigDict(extra="forbid")

    idle_s: float = Field(
        120.0, ge=1, le=MAX_IDLE_S, description="seconds without a call after which it ends"
    )
    max_s: float = Field(
        900.0,
        ge=1,
        le=DAY_S,
        description="seconds after which it ends in any case; at most DESKHAND_SESSION_MAX_S",
    )


class SessionRequest(Loan):
    """A browser or a desktop: with a gym's task, on a page, or as it is."""

    env: Env = Field("browser", description="with a gym: that of the gym")
    gym: str | None = Field(None, description='e.g. "shop"', min_length=1, max_length=100)
    template: str | None = Field(
        None, description="task template of the gym", min_length=1, max_length=100
    )
    seed: int | None = Field(None, ge=0, le=MAX_SEED, description="which task of the template")
    start_url: str | None = Field(
        None, max_length=2000, pattern=SITE_URL, description="page to open; none: a blank page"
    )
    allow: tuple[Domain, ...] = Field(
        (),
        max_length=MAX_ENTRIES,
        description="domains of the internet that the browser may reach, each with those below it; "
        "none: only sites of the server's machine that it was told of",
    )
    profile: ProfileName | None = Field(
        None,
        description="saved log-in state to begin with, as far as its sites are the session's",
    )
    observe: Observe = Field(Observe(), description="what the first observation shows")

    @model_validator(mode="after")
    def _check_start(self) -> SessionRequest:
        start, allow = self.start_url, self.allow
        if (self.gym is None) != (self.template is None) or (self.gym is None) != (
            self.seed is None
        ):
            raise ValueError("gym, template and seed go together")
        if (start or allow) and (self.gym is not None or self.env != "browser"):
            raise ValueError("start_url and allow go with a browser, and with no gym")
        if self.profile and (self.gym is not None or self.env != "browser"):
            raise ValueError("profile goes with a browser, and with no gym")
        if start:
            check_start(start, allow)
        return self

    def make_task(self) -> Task:
        """What the session is reset to. Raises KeyError or ValueError where the gym does not make
        it."""
        if self.gym is not None:
            return get_gym(self.gym).make_task(self.template or "", self.seed or 0)
        return Task(
            id="session",
            instruction="",
            env=self.env,
            start_url=self.start_url,
            allow=self.allow,
            profile=self.profile,
            keep_files=True,
        )


class ForkRequest(Loan):
    """The loan of the other session, and what to observe in it first."""

    observe: Observe = Observe()


class SessionState(BaseModel):
    """One open session."""

    id: str
    env: Env
    name: str | None = Field(description='of a gym\'s task, e.g. "shop/price@3"')
    instruction: str | None = Field(description="of a gym's task")
    start_url: str | None
    allow: tuple[str, ...]
    created_at: datetime
    idle_ends_at: datetime = Field(description="it ends then, unless it is used before")
    ends_at: datetime = Field(description="it ends then in any case")
    view: str = Field(
        description="path of a page on which a person watches it: whoever has it needs no key"
    )


class SessionStart(BaseModel):
    """A session that was just opened, and what it shows."""

    session: SessionState
    observation: Observation
