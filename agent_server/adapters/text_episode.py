"""Episodes of the web gyms for callers without an event loop: lines of text in, pages as text out.

    host = GymHost()
    episode = TextEpisode(host)
    episode.reset(make_gym_task("billing", "pay_invoice", seed=7))
    step = episode.step("click Invoices")          # step.observation, step.result, step.verdict

Guarantees: the same arguments always give the same task and the same first page; an episode has one
verdict, made when it ends: by `done` or `infeasible`, at the task's limit of steps, or by `finish`;
what is wrong with a line is told in the step's result and costs a step; gym server, host and
Chromium are stopped by `GymHost.close`, also when the interpreter ends.
"""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from agent_server.adapters.loop_thread import START_S, LoopThread
from agent_server.episodes.compact import parse
from envs.client import HostClient, RemoteSession
from envs.contract.actions import Action, ActionResult, Done, Infeasible, Note
from envs.contract.observations import Observation, Observe, lines_of, parse_tree
from envs.contract.outcomes import EpisodeFault
from envs.contract.session import ResetReply, Verdict
from envs.contract.task import (
    HELDOUT_SEED_BASE,
    SPLIT_BASES,
    Split,
    Task,
    describe_unknown_template,
    split_of,
)
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.registry import get_web_gym
from envs.providers.local import local_host

T = TypeVar("T")
MAX_VALUE = 2000
"""Characters of what an action returned."""
SHARED_SESSIONS = 64
"""Sessions of the host that all environments of a process share."""
ACTIONS = (
    "click NAME",
    "hover NAME",
    "type NAME = text",
    "enter NAME = text",
    "select NAME = option",
    "check NAME",
    "uncheck NAME",
    "set NAME = text",
    "key Enter",
    "scroll down",
    "scroll up",
    "back",
    "goto /path",
    "fill #1 = text ; #2 = text",
    "find = text",
    'tool name {"argument": "value"}',
    "done",
    "done = answer",
    "infeasible = reason",
)
"""Forms of an action. NAME is an element's name in the tree, or #number."""


def seed_in_split(split: Split, seed: int) -> int:
    """The task's seed: the split's own, or the split's first seed and `seed` after it. Raises
    ValueError for a seed of another split."""
    if split not in SPLIT_BASES:
        raise ValueError(f"there is no split {split!r}; there are: {', '.join(SPLIT_BASES)}")
    if seed < HELDOUT_SEED_BASE:
        return SPLIT_BASES[split] + seed
    if split_of(seed) != split:
        raise ValueError(f"seed {seed} is of the split {split_of(seed)!r}, not of {split!r}")
    return seed


def check_template(gym: str, template: str | None) -> None:
    """Raises KeyError for an unknown gym, and ValueError for a template it does not have."""
    templates = get_web_gym(gym).templates
    if template is not None and template not in templates:
        raise ValueError(describe_unknown_template(gym, template, templates))


def make_gym_task(
    gym: str,
    template: str | None,
    seed: int,
    split: Split = "train",
    tools: Literal["gui", "api", "both"] = "both",
    disturb: float = 0.0,
) -> Task:
    """The task of a seed. `template` None: drawn by the seed. `disturb`: strength of disturbances
    (0 to 1). Raises KeyError and ValueError (`check_template`, `seed_in_split`), Unsatisfiable."""
    check_template(gym, template)
    web_gym = get_web_gym(gym)
    chosen = template or random.Random(seed).choice(web_gym.templates)
    task = web_gym.make_task(chosen, seed_in_split(split, seed)).model_copy(update={"tools": tools})
    return web_gym.disturb(task, disturb) if disturb and isinstance(web_gym, AppGym) else task


class GymHost:
    """A gym server and a host on this machine."""

    def __init__(self, sessions: int = 2) -> None:
        self._loop = LoopThread()
        self._client: HostClient = self._loop.enter(local_host(sessions))
        self._sessions: set[RemoteSession] = set()

    def open_session(self) -> RemoteSession:
        """Leases a session. Raises EpisodeFault where none is free."""
        session = self._loop.call(self._client.open(), START_S)
        self._sessions.add(session)
        return session

    def close_session(self, session: RemoteSession) -> None:
        """Gives a session back."""
        self._sessions.discard(session)
        with contextlib.suppress(EpisodeFault):
            self._loop.call(session.close())

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a session's method. Raises TimeoutError."""
        return self._loop.call(work)

    def close(self) -> None:
        """Stops everything; a second call does nothing."""
        for session in tuple(self._sessions):
            self.close_session(session)
        self._loop.close()


_shared_lock = threading.Lock()
_shared: list[GymHost] = []


def shared_host() -> GymHost:
    """The host of this process: started by the first call, stopped when the interpreter ends."""
    with _shared_lock:
        if not _shared:
            _shared.append(GymHost(SHARED_SESSIONS))
        return _shared[0]


@dataclass(frozen=True, slots=True)
class EpisodeStep:
    """`result`: "ok", with what an action returned, or what was wrong. `verdict`: of an episode
    that has ended. `truncated`: it ended at its limit of steps."""

    observation: Observation
    result: str
    verdict: Verdict | None = None
    truncated: bool = False


class TextEpisode:
    """One session of a host; each `reset` begins an episode in it."""

    def __init__(self, host: GymHost, observe: Observe | None = None) -> None:
        self._host = host
        self._observe = observe or Observe(tree_chars=6000)
        self._session: RemoteSession | None = None
        self._observation: Observation | None = None
        self._steps = 0
        self.task: Task | None = None
        self.verdict: Verdict | None = None

    @property
    def is_running(self) -> bool:
        """Whether there is an episode that has not ended."""
        return self._observation is not None and self.verdict is None

    @property
    def steps(self) -> int:
        """Steps of the episode so far."""
        return self._steps

    @property
    def observation(self) -> Observation:
        """What was seen last. Raises RuntimeError before the first reset."""
        if self._observation is None:
            raise RuntimeError("there is no episode yet; call reset")
        return self._observation

    def reset(self, task: Task) -> ResetReply:
        """Begins an episode; in another session where the last one is lost. Raises EpisodeFault."""
        self._observation = None
        if self._session is not None:
            with contextlib.suppress(EpisodeFault):
                return self._begin(self._session, task)
            self.close()
        self._session = self._host.open_session()
        return self._begin(self._session, task)

    def _begin(self, session: RemoteSession, task: Task) -> ResetReply:
        reply = self._host.call(session.reset(task, self._observe))
        self.task, self.verdict, self._steps = task, None, 0
        self._observation = reply.observation
        return reply

    def parse(self, line: str) -> Action | str:
        """The action of a line on the page as it is, or what is wrong with the line."""
        tree = self.observation.tree
        parsed = parse(line, parse_tree(tree.text), tree.id) if tree is not None else parse(line)
        if parsed.error is not None:
            return parsed.error.message
        return parsed.action if parsed.action is not None else Note(text="")

    def step(self, action: str | Action) -> EpisodeStep:
        """One line, or one action. Raises RuntimeError where no episode runs, and EpisodeFault."""
        if not self.is_running or self._session is None or self.task is None:
            raise RuntimeError("the episode has ended; call reset")
        self._steps += 1
        chosen = self.parse(action) if isinstance(action, str) else action
        if isinstance(chosen, Done):
            return self._end("ok", answer=chosen.answer)
        if isinstance(chosen, Infeasible):
            return self._end("ok", infeasible=True)
        if isinstance(chosen, str):
            result = chosen
        elif isinstance(chosen, Note):
            result = "ok"
        else:
            reply = self._host.call(self._session.step([chosen], self._observe))
            self._observation, result = reply.observation, _describe(reply.results[-1])
        if self._steps >= self.task.limits.max_steps:
            return self._end(result, truncated=True)
        return EpisodeStep(self.observation, result)

    def finish(self) -> Verdict:
        """The verdict of the episode; one that still runs ends here, without an answer."""
        if self.verdict is None:
            self._end("ok")
        assert self.verdict is not None
        return self.verdict

    def close(self) -> None:
        """Gives the session back."""
        session, self._session = self._session, None
        self._observation = None
        if session is not None:
            self._host.close_session(session)

    def _end(
        self,
        result: str,
        answer: str | None = None,
        infeasible: bool = False,
        truncated: bool = False,
    ) -> EpisodeStep:
        if self._session is None:
            raise RuntimeError("there is no episode yet; call reset")
        self.verdict = self._host.call(self._session.evaluate(answer, infeasible))
        return EpisodeStep(self.observation, result, self.verdict, truncated)


def describe_page(observation: Observation) -> str:
    """The page as a policy reads it: title, address and the lines of its tree."""
    return "\n".join(lines_of(observation))


def _describe(result: ActionResult) -> str:
    if not result.ok:
        return f"{result.error}: {result.message}"
    return "ok" if result.value is None else f"ok: {result.value}"[:MAX_VALUE]
