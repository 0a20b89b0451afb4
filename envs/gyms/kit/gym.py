"""A gym of the kit's apps: tasks from seeds, initial states, verdicts, oracles.

Score 1 if and only if the state after is the expected one, the answer is right and the ending fits;
all of it is computed from (task, before, after, answer) alone. For what else earns, see
`envs/gyms/scoring.py`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import orjson

from envs.actions import Done, Tool
from envs.gyms.gym import Oracle, OracleMove, State, level_of
from envs.gyms.kit.answers import same_answer
from envs.gyms.kit.company import Company, company
from envs.gyms.kit.here import INCIDENTAL, SHARED, App
from envs.gyms.kit.script import ScriptOracle
from envs.gyms.kit.template import (
    Evidence,
    Template,
    drawn,
    expected_state,
    instruction_of,
)
from envs.gyms.kit.words import words_of
from envs.gyms.scoring import partial_score
from envs.observations import Observation
from envs.session import Verdict
from envs.tasks import Env, Limits, Task, split_of
from envs.verify.expect import check

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

_APPS: dict[str, tuple[App, ...]] = {}
DISTURBED_STEPS = 2.0
"""Limits grow by this times the strength of disturbances."""


class AppGym:
    """See `envs.gyms.gym.WebGym`. `apps[0]` is where a session begins."""

    env: Env = "browser"

    def __init__(self, name: str, apps: Sequence[App], templates: Sequence[Template]) -> None:
        self.name = name
        self.apps = tuple(apps)
        _APPS[name] = self.apps
        self.specs = {template.name: template for template in templates}
        if len(self.specs) != len(templates):
            raise ValueError(f"{name}: two templates have the same name")

    @property
    def templates(self) -> tuple[str, ...]:
        return tuple(self.specs)

    def spec(self, name: str | None) -> Template:
        """Raises KeyError."""
        found = self.specs.get(name or "")
        if found is None:
            raise KeyError(
                f"{self.name} has no template {name!r}; there are: {', '.join(self.specs)}"
            )
        return found

    def level(self, template: str) -> int:
        return level_of(self.spec(template).steps)

    def make_task(self, template: str, seed: int, phrasing: int | None = None) -> Task:
        """`phrasing` other than the seed's own. Raises Unsatisfiable."""
        spec, world = self.spec(template), company(seed)
        own, params = drawn(spec, world, self._prepared(spec, seed))
        chosen = own if phrasing is None else phrasing % len(spec.phrasings)
        return Task(
            id=f"{self.name}/{template}@{seed}",
            instruction=instruction_of(spec, params, chosen),
            gym=self.name,
            template=template,
            seed=seed,
            params=params,
            milestones=tuple(name for name, _ in spec.milestones),
            limits=Limits(max_steps=2 * spec.steps + 3),
            split=split_of(seed),
        )

    def disturbed(self, task: Task, strength: float) -> Task:
        """The same task on a site that gets in the way, with the time that this takes."""
        steps = int(task.limits.max_steps * (1 + DISTURBED_STEPS * strength))
        limits = task.limits.model_copy(update={"max_steps": steps})
        return task.model_copy(update={"disturb": strength, "limits": limits})

    def start_path(self, task: Task) -> str:
        return f"/{self.apps[0].name}/"

    def routes(self) -> list[BaseRoute]:
        # Only the gym server needs a web framework; verdicts and tasks are made elsewhere too.
        from envs.gyms.kit.serving import routes_of

        return [route for app in self.apps for route in routes_of(app, apps_of)]

    def stray(self, state: State, rng: random.Random) -> None:
        """Changes something that no task asks for, by the rules of one of the apps."""
        app = rng.choice(self.apps)
        app.stray(state[app.name], rng)

    def initial_state(self, task: Task) -> State:
        return self._prepared(self.spec(task.template), task.seed)

    def _prepared(self, spec: Template, seed: int) -> State:
        world = company(seed)
        state: State = orjson.loads(_fresh(self.apps, seed))
        spec.prepare(world, world.rng(f"prepare:{spec.name}"), state)
        return state

    def verdict(
        self, task: Task, before: State, after: State, answer: str | None, infeasible: bool
    ) -> Verdict:
        spec, world = self.spec(task.template), company(task.seed)
        expected = expected_state(spec, world, task.params, before)
        findings = check(before, expected, after, INCIDENTAL, spec.passing)
        answer_ok = spec.answer is None or same_answer(
            answer, spec.answer(world, task.params, before), spec.answer_kind, world.look
        )
        log = after["log"]
        looked = all(event.format(**task.params) in log for event in spec.must_see)
        ending_ok = infeasible == spec.infeasible and (looked or not infeasible)
        success = findings.holds and answer_ok and ending_ok
        evidence = Evidence(task.params, before, after, finished=success)
        reached = {name: bool(holds(evidence)) for name, holds in spec.milestones}
        score = 1.0 if success else partial_score(reached, findings)
        details = {"state": findings.told(), "answer_ok": answer_ok, "ending_ok": ending_ok}
        return Verdict(score=score, milestones=reached, details=details)

    def oracle(self, task: Task) -> Oracle:
        spec = self.spec(task.template)
        if task.tools == "api" and spec.calls is not None:
            return CallsOracle(spec.calls(task.params))
        return ScriptOracle(task, spec.solve)

    def corpus(self, seed: int) -> list[str]:
        """Instructions of every template, the pages' words, and lines as trees show them."""
        tasks = [self.make_task(name, seed).instruction for name in self.specs]
        return tasks + words_of(self.apps, company(seed))


def apps_of(gym: str) -> tuple[App, ...]:
    """The kit's apps that a gym serves; none for other gyms."""
    return _APPS.get(gym, ())


class CallsOracle:
    """An oracle that calls site tools, one a step."""

    def __init__(self, calls: Sequence[Tool]) -> None:
        self._calls = list(calls)

    def move(self, observation: Observation) -> OracleMove:
        if self._calls:
            return OracleMove("there is a tool for that", self._calls.pop(0))
        return OracleMove("that is all", Done())


@lru_cache(maxsize=256)
def _fresh(apps: tuple[App, ...], seed: int) -> bytes:
    """A seed's state as JSON: parsing it is the fastest deep copy."""
    world: Company = company(seed)
    return orjson.dumps({**SHARED, **{app.name: app.fresh(world) for app in apps}})
