"""What the gym of every application of others must pass, in the application itself."""

from __future__ import annotations

from collections.abc import Sequence

from envs.client import RemoteSession
from envs.contract.actions import Done, Infeasible
from envs.contract.observations import Observe
from envs.contract.session import Verdict
from envs.contract.task import HELDOUT_SEED_BASE, SPLIT_BASES
from envs.gyms.real.gym import ApplicationGym
from envs.gyms.server.audit_checks import check_guesses
from envs.gyms.server.audit_rows import Row
from envs.providers.local import local_host

OBSERVE = Observe(tree_chars=12_000, tree_options=30)


async def play(
    gym: ApplicationGym, session: RemoteSession, template: str, seed: int
) -> tuple[Verdict, str]:
    """The oracle's episode: the verdict, and the hash of what was seen first."""
    task = gym.make_task(template, seed)
    oracle = gym.oracle(task)
    observation = (await session.reset(task, OBSERVE)).observation
    first = observation.hash
    assert not (await session.evaluate(None, False)).success
    for _ in range(task.limits.max_steps):
        action = oracle.move(observation).action
        if isinstance(action, Done | Infeasible):
            break
        reply = await session.step([action], OBSERVE)
        assert reply.results[0].ok, reply.results
        observation = reply.observation
    answer = action.answer if isinstance(action, Done) else None
    return await session.evaluate(answer, isinstance(action, Infeasible)), first


def check_splits(gym: ApplicationGym | None) -> None:
    """Every template makes tasks of all splits, and doing nothing solves none."""
    assert gym is not None, "scripts/setup.sh applications"
    for template in gym.templates:
        for base in SPLIT_BASES.values():
            task = gym.make_task(template, base + 11)
            before = gym.initial_state(task)
            assert not gym.verdict(task, before, gym.initial_state(task), None, False).success


async def check_oracles(gym: ApplicationGym | None, templates: Sequence[str]) -> None:
    """Oracles solve tasks of these templates, one after the other in one world, which looks the
    same again each time."""
    assert gym is not None
    first_looks = []
    async with local_host(2) as host:
        session = await host.open()
        for template in templates:
            verdict, first = await play(gym, session, template, HELDOUT_SEED_BASE + 5)
            assert verdict.success, (template, verdict.details)
            first_looks.append(first)
        assert len(set(first_looks)) == 1, "what one task changed is seen in the next"
        await session.close()


def check_constant_answers(gym: ApplicationGym | None) -> None:
    """No answer that is always the same is right too often."""
    assert gym is not None
    for template in gym.templates:
        if gym.spec(template).expected_answer is not None:
            row = Row(gym.name, template, gym.level(template), 1, {"guess": 0})
            check_guesses(gym, template, row)
            assert row.held == {"guess": 1}, template
