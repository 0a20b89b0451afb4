"""Answers of the policy to the prompts of demonstrations, and how far they agree with them."""

from __future__ import annotations

import asyncio
import base64

from agent_server.episodes.agent import Policy, Turn
from agent_server.episodes.compact import parse
from agent_server.episodes.trajectory import Completion, SeenPicture, Step
from agent_server.store.episodes import load_task
from envs.contract.actions import Action, ActionResult
from envs.contract.observations import Observation, Screenshot, parse_tree
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Task
from trainer.context import Context
from trainer.phases.plays import Play, PlayGroup
from trainer.samples import is_refused
from trainer.threads import in_thread

MOST_AT_ONCE = 64
"""Answers that the policy server is asked for at the same time."""


async def answer_demonstrations(context: Context, groups: int, size: int) -> list[PlayGroup]:
    """A group of `size` rollouts for each of so many demonstrations at random. Every step of a
    rollout is answered at once: past actions are in the prompt, thoughts are not. Slips of a
    demonstration that were refused are no steps to agree with.

    A group that the policy server did not answer has no plays. Raises RuntimeError where no
    demonstration is kept."""
    if not context.demonstrations or context.policy is None:
        raise RuntimeError("there are no demonstrations to answer, or no policy that answers")
    policy = context.policy
    room = asyncio.Semaphore(MOST_AT_ONCE)
    ids = context.rng.sample(context.demonstrations, min(groups, len(context.demonstrations)))
    return list(
        await asyncio.gather(
            *(_answer(context, policy, room, episode_id, size) for episode_id in ids)
        )
    )


async def _answer(
    context: Context, policy: Policy, room: asyncio.Semaphore, episode_id: str, size: int
) -> PlayGroup:
    row = context.store.episodes.get(episode_id)
    if row is None:
        raise LookupError(f"the demonstration {episode_id} is not in the database of the run")
    with context.store.engine.connect() as db:
        task = Task.model_validate(load_task(db, row.task))
    seen = (await in_thread(context.artifacts.read_seen, episode_id)).steps
    demonstrated = [step for step in seen if not is_refused(step)]
    turns = [_turn(context, task, step) for step in demonstrated] * size

    async def answer(turn: Turn) -> Completion:
        async with room:
            return await policy.act(turn)

    try:
        answers = iter(await asyncio.gather(*map(answer, turns)))
    except EpisodeFault as fault:
        context.progress.show_detail(f"a demonstration is not answered: {fault.detail}")
        return PlayGroup(task, (), is_whole=False)
    return PlayGroup(
        task, tuple(_play([(step, next(answers)) for step in demonstrated]) for _ in range(size))
    )


def _turn(context: Context, task: Task, step: Step) -> Turn:
    """What the demonstration was shown at this step."""
    observation = Observation(hash="", url=step.url)
    pictures = tuple(map(_screenshot, step.completion.pictures))
    return Turn(task, observation, step.prompt, context.sampling, pictures)


def _screenshot(picture: SeenPicture) -> Screenshot:
    return Screenshot(
        format=picture.name.rpartition(".")[2],
        width=picture.width,
        height=picture.height,
        data=base64.b64encode(picture.data).decode(),
    )


def _play(pairs: list[tuple[Step, Completion]]) -> Play:
    agreements = tuple(agreement(step, completion.text) for step, completion in pairs)
    steps = tuple(
        step.model_copy(update={"completion": completion, "result": _result(step, completion.text)})
        for step, completion in pairs
    )
    share = sum(value >= 1.0 for value in agreements) / max(len(agreements), 1)
    return Play(steps, share, success=share >= 1.0, agreements=agreements)


def _result(step: Step, text: str) -> ActionResult:
    return parse(text, parse_tree(step.tree)).error or ActionResult.success()


def agreement(step: Step, text: str) -> float:
    """1 for the demonstrated action, 0.5 for one of its type, 0.1 for any action, 0 for none that
    can be read (UI-S1, arXiv:2509.11543)."""
    lines = parse_tree(step.tree)
    action, demonstrated = parse(text, lines).action, parse(step.completion.text, lines).action
    if action is None:
        return 0.0
    if demonstrated is None or type(action) is not type(demonstrated):
        return 0.1
    return 1.0 if _content(action) == _content(demonstrated) else 0.5


def _content(action: Action) -> object:
    return action.model_dump()
