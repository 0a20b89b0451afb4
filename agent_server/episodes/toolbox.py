"""An environment of tools in one file: a resource, tools, problems and a reward, by decorators.

    box = Toolbox("warehouse", resources=4)

    @box.resource
    @asynccontextmanager
    async def open_database(): ...          what tools work on; one for each episode at a time
    @box.begin
    async def fill(database, data): ...     optional: before each episode
    @box.tool("stock")
    async def stock(database, item: str) -> int: ...
    @box.problem
    def make(rng) -> ToolProblem: ...       all chance from `rng`
    @box.reward
    async def score(database, data, answer) -> float: ...

Guarantees: arguments are validated by the tool's signature and never evaluated; a tool that fails
is a result that the policy reads; a file that lacks a part is refused with the part's name.
"""

from __future__ import annotations

import random
import runpy
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from agent_server.episodes.resource_pool import Open, ResourcePool
from envs.contract.tools import DEFAULT_TIMEOUT_S, ToolFunction, Toolset

F = TypeVar("F", bound=Callable[..., Any])


class ToolboxError(ValueError):
    """A file that holds no whole toolbox; one sentence."""


@dataclass(frozen=True, slots=True)
class ToolProblem:
    """`question`: what the policy reads; `data`: what `begin` and the reward get."""

    question: str
    data: Any = None


@asynccontextmanager
async def _open_nothing() -> AsyncIterator[None]:
    yield None


async def _begin_nothing(_resource: Any, _data: Any) -> None:
    """Nothing to prepare."""


class Toolbox:
    """The parts that a user's file declares."""

    def __init__(self, name: str, *, resources: int = 1, max_steps: int = 8) -> None:
        self.name, self.resources, self.max_steps = name, resources, max_steps
        # On a desktop a tool that raises has failed, and not its episode: so it is here.
        self.tools = Toolset("desktop")
        self._open: Open = _open_nothing
        self._begin: Callable[[Any, Any], Awaitable[None]] = _begin_nothing
        self._problem: Callable[[random.Random], ToolProblem] | None = None
        self._reward: Callable[[Any, Any, str | None], Awaitable[float]] | None = None

    def resource(self, function: F) -> F:
        """Decorates what opens one resource: a function that gives an async context manager."""
        self._open = function
        return function

    def begin(self, function: F) -> F:
        """Decorates `async def f(resource, data)`, called before each episode."""
        self._begin = function
        return function

    def tool(
        self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Decorates `async def f(resource, typed arguments)`; its docstring describes it."""
        return self.tools.tool(name, timeout_s=timeout_s)

    def problem(self, function: F) -> F:
        """Decorates `def f(rng) -> ToolProblem`."""
        self._problem = function
        return function

    def reward(self, function: F) -> F:
        """Decorates `async def f(resource, data, answer) -> float`, from 0 to 1; `answer` is None
        where the policy gave none."""
        self._reward = function
        return function

    def why_incomplete(self) -> str | None:
        """Which part is missing, in a sentence; None where nothing is."""
        if not self.tools.schemas():
            return f"the toolbox {self.name} has no tool: decorate one with @box.tool('name')"
        for part in ("problem", "reward"):
            if getattr(self, f"_{part}") is None:
                return (
                    f"the toolbox {self.name} has no {part}: decorate a function with @box.{part}"
                )
        return None

    def make_pool(self) -> ResourcePool:
        """A pool of its resources, on the running loop."""
        return ResourcePool(self._open, self.resources)

    def make_problem(self, seed: int) -> ToolProblem:
        """The problem of a seed."""
        assert self._problem is not None
        return self._problem(random.Random(f"{self.name}:{seed}"))

    async def prepare(self, resource: Any, problem: ToolProblem) -> None:
        """Calls `begin`."""
        await self._begin(resource, problem.data)

    async def score(self, resource: Any, problem: ToolProblem, answer: str | None) -> float:
        """Calls the reward. Raises ValueError for one that is no number from 0 to 1."""
        assert self._reward is not None
        value = await self._reward(resource, problem.data, answer)
        if isinstance(value, str | bytes) or not 0.0 <= float(value) <= 1.0:
            raise ValueError(f"the reward of {self.name} is {value!r}, not a number from 0 to 1")
        return float(value)


def load_toolbox(file: Path) -> Toolbox:
    """The one toolbox that a file makes. Raises ToolboxError."""
    try:
        names = runpy.run_path(str(file))
    except Exception as error:
        # Somebody else's code, which may raise anything while it is read.
        raise ToolboxError(f"{file} cannot be read: {error!r}") from error
    boxes = [value for value in names.values() if isinstance(value, Toolbox)]
    if len(boxes) != 1:
        raise ToolboxError(f"{file} makes {len(boxes)} toolboxes; it must make one")
    if reason := boxes[0].why_incomplete():
        raise ToolboxError(f"{file}: {reason}")
    return boxes[0]
