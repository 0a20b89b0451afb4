"""Every web gym as a `gymnasium` environment, for agents that use nothing else of Deskhand.

    import gymnasium
    from agent_server.adapters.gymnasium_env import register_gyms
    register_gyms()                                    # deskhand/<gym>-v0 for each web gym
    env = gymnasium.make("deskhand/billing-v0")        # or template="pay_invoice", split="test"
    observation, info = env.reset(seed=7)              # info["instruction"] says what to do
    observation, reward, terminated, truncated, info = env.step("click Invoices")

Guarantees: `reset(seed)` always gives the same task and the same first observation; the reward is
the verdict's score, once, at the end; gym server, host and Chromium are started by the first reset
and stopped by `close`, also when the interpreter ends. Actions are lines of the compact dialect
(docs/architecture.md); what is wrong with one is told in the next observation and costs a step.
"""

from __future__ import annotations

import asyncio
import atexit
import base64
import io
import random
import string
import threading
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any, Literal, TypeVar

import gymnasium
import numpy as np
from gymnasium import spaces
from PIL import Image

from agent_server.episodes.compact import parse
from envs.client import RemoteSession
from envs.contract.actions import Done, Infeasible, Note
from envs.contract.observations import Observation, Observe, ScreenshotRequest, parse_tree
from envs.contract.task import HELDOUT_SEED_BASE, SPLIT_BASES, Split, split_of
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.registry import get_web_gym, web_gyms
from envs.providers.local import local_host

T = TypeVar("T")
CALL_S, START_S, CLOSE_S = 60.0, 120.0, 20.0
MAX_TEXT = 20_000
TRAIN_SEEDS = 1_000_000
ACTIONS = (
    "click NAME",
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
"""Forms of an action, named by `info["actions"]` and the action space. NAME is an element's name in
the tree, or #number."""
EXAMPLES = ("scroll down", "scroll up", "back", "click #1", "click #2", "find = the")


class Words(spaces.Text):
    """Any text up to a length: pages have letters of all alphabets."""

    def __init__(
        self,
        max_length: int = MAX_TEXT,
        examples: tuple[str, ...] = (),
        forms: tuple[str, ...] = (),
    ) -> None:
        super().__init__(max_length, min_length=0, charset=string.printable)
        self._examples = examples
        self.forms = forms

    def __repr__(self) -> str:
        return f"Words({self.max_length}, forms={self.forms})" if self.forms else super().__repr__()

    def contains(self, x: Any) -> bool:
        """Any text up to the maximum length is contained."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """One of the examples: letters at random are no action."""
        if not self._examples:
            return str(super().sample(mask, probability))
        return self._examples[int(self.np_random.integers(len(self._examples)))]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and other.max_length == self.max_length


def seed_in_split(split: Split, seed: int) -> int:
    """The task's seed: the split's own, or the split's first seed and `seed` after it. Raises
    ValueError for a seed of another split."""
    if seed < HELDOUT_SEED_BASE:
        return SPLIT_BASES[split] + seed
    if split_of(seed) != split:
        raise ValueError(f"seed {seed} is of the split {split_of(seed)!r}, not of {split!r}")
    return seed


class GymEnv(gymnasium.Env[dict[str, Any], str]):
    """One web gym. `template` None: drawn by the seed. `disturb`: strength of disturbances (0 to
    1)."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012  gymnasium's own way

    def __init__(
        self,
        gym: str,
        template: str | None = None,
        split: Split = "train",
        tools: Literal["gui", "api", "both"] = "both",
        disturb: float = 0.0,
        tree_chars: int = 6000,
        render_mode: str | None = None,
    ) -> None:
        self._gym = get_web_gym(gym)
        if template is not None and template not in self._gym.templates:
            known = ", ".join(self._gym.templates)
            raise ValueError(f"{gym} has no template {template!r}; there are: {known}")
        if split not in SPLIT_BASES:
            raise ValueError(f"there is no split {split!r}; there are: {', '.join(SPLIT_BASES)}")
        self._template, self._split, self._tools, self._disturb = template, split, tools, disturb
        self.render_mode = render_mode
        shot = ScreenshotRequest(format="png") if render_mode == "rgb_array" else None
        self._observe = Observe(tree=True, tree_chars=tree_chars, screenshot=shot)
        self.observation_space = spaces.Dict(
            {"instruction": Words(), "title": Words(), "tree": Words(), "result": Words()}
        )
        self.action_space = Words(2000, EXAMPLES, ACTIONS)
        self._host: _LiveHost | None = None
        self._last: Observation | None = None
        self._steps = 0
        self._ended = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The seed draws template and task; without one, the environment's own generator does.
        Raises ValueError for a seed of another split. `info["actions"]` names the actions."""
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(TRAIN_SEEDS))
        template = self._template or random.Random(seed).choice(self._gym.templates)
        task = self._gym.make_task(template, seed_in_split(self._split, seed))
        task = task.model_copy(update={"tools": self._tools})
        if self._disturb and isinstance(self._gym, AppGym):
            task = self._gym.disturb(task, self._disturb)
        if self._host is None:
            self._host = _LiveHost()
        self._task, self._steps, self._ended = task, 0, False
        reply = self._host.call(self._host.session.reset(task, self._observe))
        self._last = reply.observation
        info: dict[str, Any] = {
            "instruction": task.instruction,
            "task": task.id,
            "state_hash": reply.state_hash,
            "actions": ACTIONS,
        }
        return self._observation(""), info

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Raises gymnasium.error.ResetNeeded before the first reset and after an episode's end,
        EpisodeFault when the environment itself failed."""
        if self._host is None or self._last is None or self._last.tree is None or self._ended:
            raise gymnasium.error.ResetNeeded("call reset() first")
        self._steps += 1
        tree = self._last.tree
        parsed = parse(action, parse_tree(tree.text), tree.id)
        is_done, result = False, "ok" if parsed.error is None else parsed.error.message
        answer, infeasible = None, False
        if isinstance(parsed.action, Done | Infeasible):
            is_done, infeasible = True, isinstance(parsed.action, Infeasible)
            answer = parsed.action.answer if isinstance(parsed.action, Done) else None
        elif parsed.action is not None and not isinstance(parsed.action, Note):
            reply = self._host.call(self._host.session.step([parsed.action], self._observe))
            self._last = reply.observation
            result_of_action = reply.results[-1]
            result = (
                "ok"
                if result_of_action.ok
                else f"{result_of_action.error}: {result_of_action.message}"
            )
            if result_of_action.ok and result_of_action.value is not None:
                result = f"ok: {result_of_action.value}"[:2000]
        truncated = not is_done and self._steps >= self._task.limits.max_steps
        info: dict[str, Any] = {"result": result}
        score = 0.0
        if is_done or truncated:
            self._ended = True
            verdict = self._host.call(self._host.session.evaluate(answer, infeasible))
            score = verdict.score
            info |= {"success": verdict.success, "milestones": dict(verdict.milestones)}
        return self._observation(result), score, is_done, truncated, info

    def render(self) -> Any:
        """The page's picture, height x width x 3, with render_mode "rgb_array"."""
        if self.render_mode != "rgb_array" or self._last is None or self._last.screenshot is None:
            return None
        data = base64.b64decode(self._last.screenshot.data)
        with Image.open(io.BytesIO(data)) as picture:
            return np.asarray(picture.convert("RGB"))

    def close(self) -> None:
        """Stop gym server, host and Chromium."""
        live, self._host = self._host, None
        if live is not None:
            live.close()

    def _observation(self, result: str) -> dict[str, Any]:
        assert self._last is not None
        tree = self._last.tree.text if self._last.tree is not None else ""
        return {
            "instruction": self._task.instruction,
            "title": self._last.title,
            "tree": tree[:MAX_TEXT],
            "result": result[:MAX_TEXT],
        }


class _LiveHost:
    """A host with one session, on an event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="deskhand-gym", daemon=True
        )
        self._thread.start()
        self._stack = AsyncExitStack()
        atexit.register(self.close)
        try:
            self.session: RemoteSession = self.call(self._open(), START_S)
        except BaseException:
            self.close()
            raise

    async def _open(self) -> RemoteSession:
        host = await self._stack.enter_async_context(local_host(2))
        session = await host.open()
        self._stack.push_async_callback(session.close)
        return session

    def call(self, work: Coroutine[Any, Any, T], timeout_s: float = CALL_S) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout_s)

    def close(self) -> None:
        """A second call does nothing."""
        atexit.unregister(self.close)
        if not self._thread.is_alive():
            return
        try:
            self.call(self._stack.aclose(), CLOSE_S)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(CLOSE_S)
            self._loop.close()


def register_gyms() -> None:
    """`deskhand/<gym>-v0` for each web gym."""
    for name in web_gyms():
        gymnasium.register(
            f"deskhand/{name}-v0",
            entry_point="agent_server.adapters.gymnasium_env:GymEnv",
            kwargs={"gym": name},
        )
