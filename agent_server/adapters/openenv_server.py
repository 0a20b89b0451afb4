"""A web gym as an OpenEnv environment, served over HTTP and WebSocket.

    python -m agent_server.adapters.openenv_server --gym shop --port 8000

    from openenv.core import GenericEnvClient
    with GenericEnvClient(base_url="http://127.0.0.1:8000").sync() as client:
        client.reset(template="price", seed=7)
        client.step({"line": "click Cart"})

Guarantees: `reset` with the same seed gives the same task; the reward is the verdict's score, once,
at the end of an episode. Each WebSocket connection has an episode of its own; it gives its session
back when it ends. OpenEnv answers plain HTTP requests each with a new environment: there a step
without a reset begins the task of seed 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

from agent_server.adapters.text_episode import (
    ACTIONS,
    TextEpisode,
    describe_page,
    make_gym_task,
    shared_host,
)
from agent_server.version import get_version
from envs.contract.task import SPLIT_BASES, Split
from envs.gyms.server.registry import get_web_gym

MAX_SESSIONS = 32
SEEDS_OF_SPLIT = 1000
"""Tasks of each template that a split lists; `reset` takes further seeds too."""
PREVIEW = 100
"""Tasks that one request lists."""


class LineAction(Action):  # type: ignore[misc]  # the package is not installed where types are checked
    """One line of the compact dialect."""

    line: str = Field(description=f"one of: {'; '.join(ACTIONS)}")


class PageObservation(Observation):  # type: ignore[misc]
    """The page as text. `result`: "ok", with what the action returned, or what was wrong."""

    instruction: str = ""
    page: str = ""
    result: str = ""


class EpisodeState(State):  # type: ignore[misc]
    """Which task runs; none before the first reset."""

    task: str | None = None
    gym: str = ""
    template: str | None = None
    seed: int | None = None


class WebGymEnvironment(Environment):  # type: ignore[misc]
    """Episodes of one gym. Raises KeyError for an unknown gym."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, gym: str) -> None:
        super().__init__()
        self._templates = get_web_gym(gym).templates
        self._gym = gym
        # OpenEnv makes environments for single requests too: a session is leased by a reset.
        self._episode: TextEpisode | None = None
        self._episode_id: str | None = None

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        template: str | None = None,
        split: Split = "train",
        index: int | None = None,
        **options: Any,
    ) -> PageObservation:
        """The task of a seed, or that of an `index` of the split. Raises ValueError and IndexError
        for a task that does not exist, EpisodeFault."""
        if index is not None:
            template, seed = self._place(index)
        task = make_gym_task(self._gym, template, seed or 0, split)
        if self._episode is None:
            self._episode = TextEpisode(shared_host())
        self._episode.reset(task)
        self._episode_id = episode_id or task.id
        return self._observe("")

    def step(
        self, action: LineAction, timeout_s: float | None = None, **options: Any
    ) -> PageObservation:
        """Raises RuntimeError where the episode has ended, and EpisodeFault."""
        if self._episode is None:
            self.reset()
        assert self._episode is not None
        return self._observe(self._episode.step(action.line).result)

    @property
    def state(self) -> EpisodeState:
        """The task and how many steps it has had."""
        task = self._episode.task if self._episode is not None else None
        return EpisodeState(
            episode_id=self._episode_id,
            step_count=self._episode.steps if self._episode is not None else 0,
            task=task.id if task else None,
            gym=self._gym,
            template=task.template if task else None,
            seed=task.seed if task else None,
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """What OpenEnv shows of the environment."""
        return EnvironmentMetadata(
            name=f"deskhand-{self._gym}",
            description=f"Tasks on the web application {self._gym!r}, in a real browser.",
            version=get_version(),
        )

    def close(self) -> None:
        """Gives the session back."""
        episode, self._episode = self._episode, None
        if episode is not None:
            episode.close()

    def list_splits(self) -> list[dict[str, str]]:
        """See OpenEnv's TaskProvider; so the four below."""
        return [{"name": split, "type": split} for split in SPLIT_BASES]

    def num_tasks(self, split: str) -> int:
        """Raises ValueError for an unknown split."""
        if split not in SPLIT_BASES:
            raise ValueError(f"there is no split {split!r}; there are: {', '.join(SPLIT_BASES)}")
        return len(self._templates) * SEEDS_OF_SPLIT

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Raises IndexError."""
        self.num_tasks(split)
        template, seed = self._place(index)
        return {"index": index, "gym": self._gym, "template": template, "seed": seed}

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """As a slice of the split."""
        places = range(self.num_tasks(split))[start:stop]
        return [self.get_task(split, index) for index in places]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """The first ones."""
        return self.get_task_range(split, 0, PREVIEW)

    def _place(self, index: int) -> tuple[str, int]:
        """Template and seed of an index: all templates of a seed follow each other."""
        if not 0 <= index < len(self._templates) * SEEDS_OF_SPLIT:
            raise IndexError(f"there is no task {index}")
        return self._templates[index % len(self._templates)], index // len(self._templates)

    def _observe(self, result: str) -> PageObservation:
        assert self._episode is not None
        task, verdict = self._episode.task, self._episode.verdict
        assert task is not None
        facts: dict[str, Any] = {"task": task.id}
        if verdict is not None:
            facts |= {"success": verdict.success, "milestones": dict(verdict.milestones)}
        return PageObservation(
            instruction=task.instruction,
            page=describe_page(self._episode.observation),
            result=result,
            done=verdict is not None,
            reward=verdict.score if verdict is not None else 0.0,
            metadata=facts,
        )


def make_app(gym: str, max_sessions: int = MAX_SESSIONS) -> FastAPI:
    """The server of a gym. Raises KeyError for an unknown gym."""
    get_web_gym(gym)
    app: FastAPI = create_app(
        partial(WebGymEnvironment, gym),
        LineAction,
        PageObservation,
        env_name=f"deskhand-{gym}",
        max_concurrent_envs=max_sessions,
        state_cls=EpisodeState,
    )
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Serves a web gym to OpenEnv's clients.")
    parser.add_argument("--gym", default="shop", help="name of a web gym: `deskhand gym list`")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; it has no token")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(arguments)
    uvicorn.run(make_app(options.gym), host=options.host, port=options.port, log_level="warning")


if __name__ == "__main__":
    main()
