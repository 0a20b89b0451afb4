"""A gym of the kit's apps: tasks from seeds, initial states, verdicts, oracles.

Score 1 if and only if the state after is the expected one, the answer is right and the ending fits;
all of it is computed from (task, before, after, answer) alone. Without success, milestones in
order earn part of it, less where harm was done (`partial_score`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic

import orjson

from envs.contract.actions import Done, Infeasible, Tool
from envs.contract.observations import Observation
from envs.contract.session import Verdict
from envs.contract.task import Env, Limits, Task, get_template, make_task_id, split_of
from envs.gyms.kit.answers import same_answer
from envs.gyms.kit.app import INCIDENTAL_PATHS, SHARED_STATE, App
from envs.gyms.kit.corpus import make_corpus_lines
from envs.gyms.kit.expected_state import Findings, Freedoms, check, is_equivalent
from envs.gyms.kit.explored import draw_task, is_explored, make_template
from envs.gyms.kit.records import Item
from envs.gyms.kit.script import ScriptOracle
from envs.gyms.kit.template import (
    TaskStates,
    Template,
    make_expected_state,
    sample_task,
    word_instruction,
)
from envs.gyms.kit.world import W
from envs.gyms.server.gym import Oracle, OracleMove, State, level_of

if TYPE_CHECKING:
    from starlette.routing import Route

_APPS: dict[str, tuple[App[Any], ...]] = {}
PARTIAL = 0.6
"""Most that milestones can earn without success."""
WRONG_CAP = 0.3
"""Most when a required change was made with another value."""
HARM_CAP = 0.1
"""Most when something was changed that nobody asked for."""
DISTURBED_STEPS = 2.0
"""Limits grow by this times the strength of disturbances."""


class AppGym(Generic[W]):
    """See `envs.gyms.server.gym.WebGym`. A session begins in `apps[0]`, which makes the world."""

    env: Env = "browser"

    def __init__(
        self,
        name: str,
        apps: Sequence[App[W]],
        templates: Sequence[Template[W]],
        *,
        instruction_repeats: int = 1,
    ) -> None:
        """`instruction_repeats`: how often each instruction stands in the corpus. Raises ValueError
        for two templates of the same name."""
        self.name = name
        self.apps = tuple(apps)
        _APPS[name] = self.apps
        self._freedoms = Freedoms(
            incidental=INCIDENTAL_PATHS,
            numbered=frozenset(kind for app in self.apps for kind in app.numbered),
            is_withdrawn=self._is_withdrawn,
        )
        self.specs = {template.name: template for template in templates}
        self._instruction_repeats = instruction_repeats
        if len(self.specs) != len(templates):
            raise ValueError(f"{name}: two templates have the same name")

    def _is_withdrawn(self, kind: str, record: Item) -> bool:
        return any(app.is_withdrawn(kind, record) for app in self.apps)

    @property
    def templates(self) -> tuple[str, ...]:
        """Names, in the order they were given."""
        return tuple(self.specs)

    def spec(self, name: str | None) -> Template[W]:
        """The template of a name. Raises KeyError with the known names."""
        if is_explored(name):
            return make_template(name or "")
        return get_template(self.name, self.specs, name)

    def level(self, template: str) -> int:
        """See `level_of`."""
        return level_of(self.spec(template).oracle_steps)

    def make_task(self, template: str, seed: int, phrasing: int | None = None) -> Task:
        """The task of a seed; `phrasing` instead of the seed's own. Raises Unsatisfiable."""
        if is_explored(template):
            return draw_task(self.name, template, seed)
        spec, world = self.spec(template), self.make_world(seed)
        index, params = sample_task(spec, world, self._prepare_state(spec, seed))
        if phrasing is not None:
            index = phrasing % len(spec.phrasings)
        return Task(
            id=make_task_id(self.name, template, seed),
            instruction=word_instruction(spec, params, index),
            gym=self.name,
            template=template,
            seed=seed,
            params=params,
            milestones=tuple(name for name, _ in spec.milestones),
            limits=Limits(max_steps=spec.max_steps),
            split=split_of(seed),
        )

    def disturb(self, task: Task, strength: float) -> Task:
        """The same task on a site that gets in the way, with the time that this takes."""
        steps = int(task.limits.max_steps * (1 + DISTURBED_STEPS * strength))
        limits = task.limits.model_copy(update={"max_steps": steps})
        return task.model_copy(update={"disturb": strength, "limits": limits})

    def start_path(self, task: Task) -> str:
        """The front page of the first app."""
        return f"/{self.apps[0].name}/"

    def routes(self) -> list[Route]:
        """The pages of all apps."""
        # Only the gym server needs a web framework; verdicts and tasks are made elsewhere too.
        from envs.gyms.kit.serving import routes_of

        return [route for app in self.apps for route in routes_of(app, apps_of)]

    def apply_stray_change(self, state: State, rng: random.Random) -> None:
        """Changes something that no task asks for, by the rules of one of the apps."""
        app = rng.choice(self.apps)
        app.make_stray_change(app.get_state(state), rng)

    def initial_state(self, task: Task) -> State:
        """The state in which the task begins; each call makes its own."""
        return self._prepare_state(self.spec(task.template), task.seed)

    def make_world(self, seed: int) -> W:
        """The world of a seed, that of the first app."""
        world: W = self.apps[0].make_world(seed)
        return world

    def _prepare_state(self, spec: Template[W], seed: int) -> State:
        world = self.make_world(seed)
        state: State = orjson.loads(_serialize_initial_state(self.apps, seed))
        spec.prepare_state(world, world.rng(f"prepare:{spec.name}"), state)
        return state

    def verdict(
        self, task: Task, before: State, after: State, answer: str | None, infeasible: bool
    ) -> Verdict:
        """Compares the state after with the expected one (`findings`, or else in all but order and
        spelling, `is_equivalent`), and the answer with the right one."""
        spec, world = self.spec(task.template), self.make_world(task.seed)
        expected = make_expected_state(spec, world, task.params, before)
        findings = check(before, expected, after, INCIDENTAL_PATHS, spec.transient_paths)
        answer_ok = spec.expected_answer is None or same_answer(
            answer,
            spec.expected_answer(world, task.params, before),
            spec.answer_kind,
            world.locale,
            spec.answer_units,
        )
        log = after["log"]
        has_seen_why = all(
            event.format(**task.params) in log for event in spec.required_events
        ) and spec.has_met_refusal(TaskStates(params=task.params, before=before, after=after))
        ending_ok = infeasible == spec.infeasible and (has_seen_why or not infeasible)
        state_ok = findings.holds or (
            bool(answer_ok and ending_ok and (findings.wrong or findings.forbidden))
            and not findings.passing
            and is_equivalent(before, expected, after, self._freedoms)
        )
        success = state_ok and answer_ok and ending_ok
        states = TaskStates(params=task.params, before=before, after=after, success=success)
        reached = {name: bool(holds(states)) for name, holds in spec.milestones}
        score = 1.0 if success else partial_score(reached, findings)
        state_details = {} if state_ok else findings.summary()
        details = {"state": state_details, "answer_ok": answer_ok, "ending_ok": ending_ok}
        return Verdict(score=score, milestones=reached, details=details)

    def oracle(self, task: Task) -> Oracle:
        """By site tools where the task allows them and they suffice, else by pages."""
        spec = self.spec(task.template)
        if task.tools == "api" and spec.tool_calls is not None:
            return CallsOracle(spec.tool_calls(task.params), spec.infeasible)
        confirmations = tuple({text: None for app in self.apps for text in app.confirmations})
        return ScriptOracle(task, spec.solve, confirmations)

    def corpus(self, seed: int) -> list[str]:
        """Instructions of every template, the pages' words, and lines as trees show them."""
        instructions = [
            self.make_task(name, seed).instruction
            for name in self.specs
            for _ in range(self._instruction_repeats)
        ]
        return instructions + make_corpus_lines(self.apps, self.make_world(seed))


def apps_of(gym: str) -> tuple[App[Any], ...]:
    """The kit's apps that a gym serves; none for other gyms."""
    return _APPS.get(gym, ())


class CallsOracle:
    """An oracle that calls site tools, one a step. `infeasible`: the last one is refused."""

    def __init__(self, calls: Sequence[Tool], infeasible: bool = False) -> None:
        self._calls, self._infeasible = list(calls), infeasible

    def move(self, observation: Observation) -> OracleMove:
        """The next call, then the end."""
        if self._calls:
            return OracleMove("there is a tool for that", self._calls.pop(0))
        if self._infeasible:
            return OracleMove("it was refused", Infeasible(reason="the application refuses it"))
        return OracleMove("that is all", Done())


@lru_cache(maxsize=256)
def _serialize_initial_state(apps: tuple[App[Any], ...], seed: int) -> bytes:
    """A seed's state as JSON: parsing it is the fastest deep copy."""
    world = apps[0].make_world(seed)
    state: State = dict(SHARED_STATE)
    for app in apps:
        state |= app.make_session_state(world)
    return orjson.dumps(state)


def partial_score(reached: Mapping[str, bool], findings: Findings) -> float:
    """`PARTIAL` times the share of milestones reached before the first one that was not, capped."""
    count = 0
    for done in reached.values():
        if not done:
            break
        count += 1
    score = PARTIAL * count / len(reached)
    if findings.forbidden:
        return min(score, HARM_CAP)
    return min(score, WRONG_CAP) if findings.wrong else score
