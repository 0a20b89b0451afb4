"""Demonstrations: whole episodes of a task's oracle, kept step by step as pages with answers.

Guarantees: only episodes that the verdict calls a success are kept, so an answer that led nowhere
is never imitated. At a share of the steps chance acts in the oracle's place: the page that follows
shows how the oracle finds back (states that a learner reaches, labelled by the expert: DAgger, Ross
et al. 2011, arXiv:1011.0686). Chance's own actions are never answers.
"""

from __future__ import annotations

import random
from dataclasses import replace

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.compact import TASK, CompactAgent, render
from agent_server.episodes.runner import run_episode
from agent_server.episodes.trajectory import Completion, Step
from agent_server.policy.controls import sample_action
from agent_server.policy.oracle import OraclePolicy
from envs.client import RemoteSession
from envs.contract.actions import Done, Infeasible
from envs.contract.observations import Observation, Screenshot, lines_of, tree_lines
from envs.contract.outcomes import EpisodeFault, InvalidReason, Status
from envs.contract.task import Task
from trainer.reading.config import PagesConfig
from trainer.reading.pages import Page


class WanderingOracle:
    """The oracle's answers become pages; some of its actions are replaced by chance's."""

    def __init__(self, task: Task, template: str, group: str, share: float) -> None:
        self._oracle = OraclePolicy(task)
        self._rng = random.Random(f"wander:{task.id}")
        self._template, self._group, self._share = template, group, share
        self._has_wandered = False
        self.pages: list[Page] = []

    async def act(self, turn: Turn) -> Completion:
        """What is done in the episode. Raises EpisodeFault where the oracle is lost."""
        try:
            completion = await self._oracle.act(turn)
        except (RuntimeError, LookupError, ValueError) as error:
            # A script that chance has led off its way may look for what is not on the page.
            if not self._has_wandered:
                raise
            raise EpisodeFault(InvalidReason.POLICY_UNREADABLE, str(error)) from error
        page = make_page(
            self._template, self._group, turn.observation, turn.prompt, completion.text
        )
        if page is not None:
            self.pages.append(page)
        if self._rng.random() >= self._share:
            return completion
        lines = tree_lines(turn.observation.tree)
        action = sample_action(self._rng, lines)
        if isinstance(action, Done | Infeasible):
            return completion
        self._has_wandered = True
        return Completion(text=render("", action, lines))


def make_page(
    template: str, group: str, observation: Observation, prompt: str = "", answer: str = ""
) -> Page | None:
    """The page of an observation; None where a dialog hides it or there is no tree."""
    tree = observation.tree
    if tree is None or not tree.text or observation.dialog is not None:
        return None
    title = lines_of(observation)[0].removeprefix("page: ")
    page = Page(template, group, title, tree.text, tree.scroll)
    task = prompt.removeprefix(f"{page.text()}\n{TASK}") if prompt else ""
    return replace(page, task=task, answer=answer)


class _Unrecorded:
    """Takes the records of an episode and keeps none."""

    def save_screenshot(self, index: int, screenshot: Screenshot) -> str:
        """Nothing is saved."""
        return ""

    def record_step(self, step: Step) -> None:
        """Nothing is recorded."""

    def save_evidence(self, data: bytes) -> None:
        """Nothing is saved."""


async def demonstrate(
    task: Task, template: str, group: str, session: RemoteSession, config: PagesConfig
) -> list[Page]:
    """The pages of one episode; none where it did not succeed or the template has no oracle.

    Raises EpisodeFault where the infrastructure ended it."""
    is_steady = template.partition("/")[0] in config.steady
    try:
        oracle = WanderingOracle(task, template, group, 0.0 if is_steady else config.wandering)
    except EpisodeFault:
        return []
    result = await run_episode(
        task,
        session,
        CompactAgent(task, oracle),
        Sampling(),
        task.limits,
        _Unrecorded(),
        tree_chars=config.tree_chars,
        tree_options=config.tree_options,
    )
    if result.status is Status.INVALID and result.reason is not InvalidReason.POLICY_UNREADABLE:
        assert isinstance(result.reason, InvalidReason)
        raise EpisodeFault(result.reason, result.detail or "")
    return oracle.pages if result.score is not None and result.score >= 1.0 else []
