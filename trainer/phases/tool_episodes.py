"""Groups of episodes in a user's toolbox, played by the trainer itself: no browser takes part.

A share of a learner step (`toolbox.share`), trained on by the phase's algorithm beside the groups
of the environment. An episode that the infrastructure or the user's own code lost is in no group,
which then counts as not whole.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from agent_server.episodes.agent import Sampling
from agent_server.episodes.resource_pool import ResourcePool
from agent_server.episodes.tool_episode import make_tool_task, play
from agent_server.episodes.toolbox import Toolbox, ToolboxError, load_toolbox
from envs.contract.task import HELDOUT_SEED_BASE, Task
from trainer.config import ConfigError
from trainer.context import Context
from trainer.phases.plays import Play, PlayGroup
from trainer.toolbox_config import ToolboxConfig

log = logging.getLogger(__name__)


@lru_cache(maxsize=4)
def open_toolbox(config: ToolboxConfig) -> Toolbox | None:
    """The toolbox of a configuration. Raises ConfigError for a file that cannot be used."""
    if config.file is None:
        return None
    try:
        return load_toolbox(Path(config.file))
    except ToolboxError as error:
        raise ConfigError(f"toolbox.file: {error}") from error


@dataclass(slots=True)
class ToolEpisodes:
    """One for each reinforce phase: its pool is opened when first needed."""

    context: Context
    _pool: ResourcePool | None = None

    async def play_groups(self, count: int, size: int) -> list[PlayGroup]:
        """So many problems of the train seeds, each tried `size` times."""
        box = open_toolbox(self.context.config.toolbox)
        if box is None or not count:
            return []
        if self._pool is None:
            self._pool = box.make_pool()
        rng = self.context.rng
        seeds = [rng.randrange(HELDOUT_SEED_BASE) for _ in range(count)]
        tasks = [make_tool_task(box, box.make_problem(seed), seed) for seed in seeds]
        played = [self._play_group(box, self._pool, task, size) for task in tasks]
        return [
            PlayGroup(task, tuple(plays), is_whole=len(plays) == size)
            for task, plays in zip(tasks, await asyncio.gather(*played), strict=True)
        ]

    async def close(self) -> None:
        """Close the pool's resources."""
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    async def _play_group(
        self, box: Toolbox, pool: ResourcePool, task: Task, size: int
    ) -> list[Play]:
        context = self.context
        if context.policy is None:
            raise RuntimeError("there is no client of the policy server for episodes with tools")
        sampling = Sampling(
            temperature=context.config.sampling.temperature,
            max_tokens=context.config.toolbox.max_tokens,
        )
        one_by_one = [play(box, pool, task, context.policy, sampling) for _ in range(size)]
        episodes = await asyncio.gather(*one_by_one, return_exceptions=True)
        plays = []
        for episode in episodes:
            if isinstance(episode, Exception):
                log.warning("an episode of the toolbox %s is lost: %r", box.name, episode)
            elif isinstance(episode, BaseException):
                raise episode
            elif all(
                context.trusts(step.completion.version_min, step.completion.version_max)
                for step in episode.steps
            ):
                plays.append(Play(episode.steps, episode.score, success=episode.score >= 1.0))
        return plays
