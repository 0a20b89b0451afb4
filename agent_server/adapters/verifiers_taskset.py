"""The web gyms as a taskset of verifiers: tasks from seeds, tools over MCP, the verdict as reward.

    import verifiers.v1 as vf
    from agent_server.adapters.verifiers_taskset import WebGymConfig, WebGymTaskset
    taskset = WebGymTaskset(WebGymConfig(id="deskhand_web", gym="shop", templates=("price",)))

`examples/verifiers/` is the package that verifiers finds under the id `deskhand_web`.

Guarantees: the same configuration gives the same tasks in the same order; each rollout has an
episode of its own in the one tool server of an environment worker; its reward is the score of the
verdict, made when a tool ended the episode, and 0 where none did. A rollout whose environment
failed raises in its scoring, so that verifiers takes it for an error and not for a failure.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import verifiers.v1 as vf

from agent_server.adapters.text_episode import check_template, make_gym_task
from agent_server.adapters.trl_env import OVER, TOOLS, WebGymTools
from envs.contract.task import Split
from envs.gyms.server.registry import get_web_gym

PROMPT = (
    "Carry out this task on the web page with the tools; `look` shows the page. An element is "
    "named by its words in the page, or by its number, as #3. End with `finish`.\n\nTask: "
)
IDLE_S = 900.0
"""Without a tool call for so long, an episode's session is given to another rollout."""


class WebGymData(vf.TaskData):  # type: ignore[misc]  # the package is not installed where types are checked
    """Which task of a gym."""

    gym: str
    template: str
    seed: int
    split: Split


class WebGymState(vf.State):  # type: ignore[misc]
    """What the hooks of a rollout and the tool server both know."""

    gym: str = ""
    template: str = ""
    seed: int = 0
    split: Split = "train"
    episode: str = ""
    score: float | None = None
    has_failed: bool = False


class WebGymConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which tasks: of each template (none named: all of the gym) the first seeds of the split."""

    gym: str = "shop"
    templates: tuple[str, ...] = ()
    seeds: int = 100
    split: Split = "train"
    tools: vf.SharedToolsetConfig = vf.SharedToolsetConfig()


class WebGymTask(vf.Task[WebGymData, WebGymState]):  # type: ignore[misc]
    """One task; its reward is the verdict."""

    async def setup(self, trace: Any, runtime: Any) -> None:
        """Tells the tool server which task the rollout is on."""
        state, data = trace.state, self.data
        state.gym, state.template = data.gym, data.template
        state.seed, state.split = data.seed, data.split
        state.episode = secrets.token_hex(16)

    @vf.reward(weight=1.0)  # type: ignore[untyped-decorator]
    async def verdict(self, trace: Any) -> float:
        """Raises RuntimeError where the environment failed."""
        if trace.state.has_failed:
            raise RuntimeError("the environment failed; the rollout has no verdict")
        return float(trace.state.score or 0.0)

    @vf.metric  # type: ignore[untyped-decorator]
    async def has_ended(self, trace: Any) -> float:
        """1 where the episode ended with a verdict."""
        return float(trace.state.score is not None)


class WebGymToolset(vf.Toolset[vf.SharedToolsetConfig, WebGymState]):  # type: ignore[misc]
    """The tools of all rollouts of a worker, in a process of their own."""

    TOOL_PREFIX = None

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self._episodes: dict[str, WebGymTools] = {}
        self._used_at: dict[str, float] = {}

    def register(self, mcp: Any) -> None:
        """`look`, and the tools of `WebGymTools`."""
        mcp.add_tool(self._with_state(self.look), name="look", description=self.look.__doc__)
        for name in TOOLS:
            tool = self._make_tool(name)
            mcp.add_tool(self._with_state(tool), name=name, description=tool.__doc__)

    async def look(self) -> str:
        """Shows the page as it is."""
        tools = await self._open()
        return OVER if tools is None else await asyncio.to_thread(tools._see)

    def _make_tool(self, name: str) -> Callable[..., Awaitable[str]]:
        method = getattr(WebGymTools, name)

        @functools.wraps(method)
        async def call(*args: Any, **kwargs: Any) -> str:
            tools = await self._open()
            if tools is None:
                return OVER
            result: str = await asyncio.to_thread(getattr(tools, name), *args, **kwargs)
            if result == OVER:
                await self._end(tools)
            return result

        # The protocol's schema comes from the signature, which must not name `self`.
        parameters = list(inspect.signature(method).parameters.values())[1:]
        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return call

    async def _open(self) -> WebGymTools | None:
        """The tools of the rollout that calls, its episode begun by its first call; None once it
        has ended."""
        state = self.state
        if state.score is not None or state.has_failed:
            return None
        self._used_at[state.episode] = time.monotonic()
        if state.episode not in self._episodes:
            await self._drop_idle()
            tools = self._episodes[state.episode] = WebGymTools()
            row = {"template": state.template, "seed": state.seed, "split": state.split}
            await asyncio.to_thread(tools.reset, state.gym, **row)
        return self._episodes[state.episode]

    async def _end(self, tools: WebGymTools) -> None:
        score = await asyncio.to_thread(tools.get_reward)
        self.state.score, self.state.has_failed = score, score is None
        await self._drop(self.state.episode)

    async def _drop_idle(self) -> None:
        oldest = time.monotonic() - IDLE_S
        for episode in [key for key, used_at in self._used_at.items() if used_at < oldest]:
            await self._drop(episode)

    async def _drop(self, episode: str) -> None:
        self._used_at.pop(episode, None)
        tools = self._episodes.pop(episode, None)
        if tools is not None:
            await asyncio.to_thread(tools._close)


class WebGymTaskset(vf.Taskset[WebGymTask, WebGymConfig]):  # type: ignore[misc]
    """The tasks of one gym, template by template."""

    def load(self) -> Iterator[WebGymTask]:
        """Raises KeyError and ValueError for a gym or template that does not exist."""
        config = self.config
        for template in config.templates or get_web_gym(config.gym).templates:
            check_template(config.gym, template)
            for seed in range(config.seeds):
                task = make_gym_task(config.gym, template, seed, config.split)
                data = WebGymData(
                    id=task.id,
                    name=task.id,
                    prompt=f"{PROMPT}{task.instruction}",
                    gym=config.gym,
                    template=template,
                    seed=seed,
                    split=config.split,
                )
                yield WebGymTask(data, config.task)

    @classmethod
    def toolsets(cls, config: WebGymConfig) -> list[Any]:
        """One server for all rollouts of a worker."""
        return [WebGymToolset(config.tools)]


if __name__ == "__main__":
    # verifiers starts the module of a toolset as its server.
    WebGymToolset.run()
