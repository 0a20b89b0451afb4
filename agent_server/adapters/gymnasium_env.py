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

import base64
import io
import string
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from PIL import Image

from agent_server.adapters.text_episode import (
    ACTIONS,
    GymHost,
    TextEpisode,
    check_template,
    make_gym_task,
)
from envs.contract.observations import Observation, Observe, ScreenshotRequest
from envs.contract.task import SPLIT_BASES, Split
from envs.gyms.server.registry import web_gyms

MAX_TEXT = 20_000
TRAIN_SEEDS = 1_000_000
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
        check_template(gym, template)
        if split not in SPLIT_BASES:
            raise ValueError(f"there is no split {split!r}; there are: {', '.join(SPLIT_BASES)}")
        self._gym = gym
        self._template, self._split, self._tools, self._disturb = template, split, tools, disturb
        self.render_mode = render_mode
        shot = ScreenshotRequest(format="png") if render_mode == "rgb_array" else None
        self._observe = Observe(tree=True, tree_chars=tree_chars, screenshot=shot)
        self.observation_space = spaces.Dict(
            {"instruction": Words(), "title": Words(), "tree": Words(), "result": Words()}
        )
        self.action_space = Words(2000, EXAMPLES, ACTIONS)
        self._host: GymHost | None = None
        self._episode: TextEpisode | None = None
        self._last: Observation | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The seed draws template and task; without one, the environment's own generator does.
        Raises ValueError for a seed of another split. `info["actions"]` names the actions."""
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(TRAIN_SEEDS))
        task = make_gym_task(
            self._gym, self._template, seed, self._split, self._tools, self._disturb
        )
        if self._host is None or self._episode is None:
            self._host = GymHost()
            self._episode = TextEpisode(self._host, self._observe)
        self._task = task
        reply = self._episode.reset(task)
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
        if self._episode is None or not self._episode.is_running:
            raise gymnasium.error.ResetNeeded("call reset() first")
        step = self._episode.step(action)
        self._last = step.observation
        info: dict[str, Any] = {"result": step.result}
        score, verdict = 0.0, step.verdict
        if verdict is not None:
            score = verdict.score
            info |= {"success": verdict.success, "milestones": dict(verdict.milestones)}
        is_done = verdict is not None and not step.truncated
        return self._observation(step.result), score, is_done, step.truncated, info

    def render(self) -> Any:
        """The page's picture, height x width x 3, with render_mode "rgb_array"."""
        if self.render_mode != "rgb_array" or self._last is None or self._last.screenshot is None:
            return None
        data = base64.b64decode(self._last.screenshot.data)
        with Image.open(io.BytesIO(data)) as picture:
            return np.asarray(picture.convert("RGB"))

    def close(self) -> None:
        """Stop gym server, host and Chromium."""
        host, self._host, self._episode = self._host, None, None
        if host is not None:
            host.close()

    def _observation(self, result: str) -> dict[str, Any]:
        assert self._last is not None
        tree = self._last.tree.text if self._last.tree is not None else ""
        return {
            "instruction": self._task.instruction,
            "title": self._last.title,
            "tree": tree[:MAX_TEXT],
            "result": result[:MAX_TEXT],
        }


def register_gyms() -> None:
    """`deskhand/<gym>-v0` for each web gym."""
    for name in web_gyms():
        gymnasium.register(
            f"deskhand/{name}-v0",
            entry_point="agent_server.adapters.gymnasium_env:GymEnv",
            kwargs={"gym": name},
        )
