"""Checks of a gym's templates by their own rules, without pages."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Sequence

from envs.contract.task import Task
from envs.gyms.kit.company import get_company
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.template import Template, make_expected_state
from envs.gyms.server.gym import Refused, State


def instructions_of(gym: AppGym, templates: Sequence[Template], seed: int) -> dict[str, str]:
    """The instruction of each template's task."""
    return {template.name: gym.make_task(template.name, seed).instruction for template in templates}


def check_verdicts(gym: AppGym, templates: Sequence[Template], seed: int) -> None:
    """The expected end of each task is a success, and what oracles by site tools leave.

    `tests/envs/gyms/kit/test_gym.py` tests for all gyms at once that nothing else is a success."""
    for template in templates:
        task = gym.make_task(template.name, seed)
        before = gym.initial_state(task)
        after = make_expected_state(template, get_company(seed), task.params, before)
        after["log"] += [event.format(**task.params) for event in template.required_events]
        answer = _right_answer(template, task, before)
        verdict = gym.verdict(task, before, after, answer, template.infeasible)
        assert verdict.success, (task.id, verdict)
        assert verdict.milestones["finished"]
        _check_tool_calls(gym, template, task, before, after)


def _right_answer(template: Template, task: Task, before: State) -> str | None:
    if template.expected_answer is None:
        return None
    world = get_company(task.seed)
    answer = template.expected_answer(world, task.params, before)
    if template.answer_kind == "money":
        return world.locale.format_money(int(answer))
    return world.locale.format_date(answer) if template.answer_kind == "date" else answer


def _check_tool_calls(
    gym: AppGym, template: Template, task: Task, before: State, after: State
) -> None:
    """The oracle by site tools leaves what success means, or is refused."""
    if template.tool_calls is None:
        return
    state = copy.deepcopy(before)
    tools = {tool.name: tool for app in gym.apps for tool in app.tools}
    for call in template.tool_calls(task.params):
        tool = tools[call.name]
        with contextlib.suppress(*([Refused] if template.infeasible else [])):
            tool.call(get_company(task.seed), state[tool.app], call.arguments)
    assert all(state[app.name] == after[app.name] for app in gym.apps), task.id
