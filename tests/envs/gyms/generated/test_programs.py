"""Task programs of generated apps: every task can be drawn, is not done already, and its oracle
solves it, by pages and by site tools."""

from __future__ import annotations

import copy
from collections import Counter

import pytest

from envs.gyms.generated.catalogue import expand_set, list_names, read_catalogue
from envs.gyms.generated.make_schema import make_schema
from envs.gyms.generated.programs import PLANS
from envs.gyms.generated.schema import PROGRAM_KINDS
from envs.gyms.kit.template import Unsatisfiable
from envs.gyms.server.audit_answers import measure_best_guess
from envs.gyms.server.gym import Refused
from tests.envs.gyms.generated.generated_pages import get_generated, play

WITHOUT_SCRIPT = [
    row.name for row in read_catalogue().values() if row.family not in ("client", "material")
]
"""Pages that the driver of tests can show: no script draws them."""
SEEDS = (1, 10**9 + 1, 2 * 10**9 + 1)


def test_every_kind_of_program_has_a_plan_and_occurs() -> None:
    assert set(PLANS) == set(PROGRAM_KINDS)
    kinds = Counter(
        program.kind for seed in range(40) for program in make_schema("gen-0", seed).programs
    )
    assert set(kinds) == set(PROGRAM_KINDS)


@pytest.mark.parametrize("name", list_names()[::11])
def test_every_task_can_be_drawn_and_is_not_done_already(name: str) -> None:
    gym = get_generated(name)
    for template in gym.templates:
        for seed in SEEDS:
            task = gym.make_task(template, seed)
            assert "{" not in task.instruction, task.instruction
            assert "<" not in task.instruction, task.instruction
            before, after = gym.initial_state(task), gym.initial_state(task)
            assert not gym.verdict(task, before, after, None, False).success
            assert not gym.verdict(task, before, after, None, True).success


@pytest.mark.parametrize("name", [*WITHOUT_SCRIPT[:6], *expand_set("gen-family:2")])
def test_oracles_reach_success_on_the_pages(name: str) -> None:
    gym = get_generated(name)
    for template in gym.templates:
        played = play(gym, gym.make_task(template, 3))
        assert played.verdict.success, (name, template, played.verdict)
        assert all(played.verdict.milestones.values()), (name, template, played.verdict)
        assert played.steps <= gym.spec(template).oracle_steps, (name, template)
        assert played.session.crash is None


@pytest.mark.parametrize("name", list_names()[::15])
def test_oracles_by_site_tools_reach_success(name: str) -> None:
    gym = get_generated(name)
    (app,) = gym.apps
    tools = {tool.name: tool for tool in app.tools}
    for template in gym.templates:
        spec, task = gym.spec(template), gym.make_task(template, 4)
        if spec.tool_calls is None:
            continue
        before = gym.initial_state(task)
        after, refusals = copy.deepcopy(before), 0
        for call in spec.tool_calls(task.params):
            try:
                tools[call.name].call(
                    gym.make_world(task.seed),
                    app.get_state(after),
                    call.arguments,
                    lambda event, state=after: app.log_event(state, event),
                )
            except Refused:
                refusals += 1
        assert (refusals > 0) == spec.infeasible, task.id
        assert gym.verdict(task, before, after, None, spec.infeasible).success, task.id


@pytest.mark.parametrize("name", list_names()[::31])
def test_no_question_can_be_guessed(name: str) -> None:
    gym = get_generated(name)
    for template in gym.templates:
        try:
            guess = measure_best_guess(gym, template, range(60))
        except Unsatisfiable as error:
            pytest.fail(str(error))
        assert not guess.is_too_good, (name, template, guess)
