"""The shop as a gym: tasks from seeds, initial states, verdicts, oracles."""

from __future__ import annotations

import random
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from envs.gyms.gym import Oracle, State, level_of
from envs.gyms.scoring import partial_score
from envs.gyms.shop.account import INCIDENTAL
from envs.gyms.shop.catalogue import hydrate
from envs.gyms.shop.domain import set_wish
from envs.gyms.shop.oracle import ShopOracle
from envs.gyms.shop.tasks import Evidence, Template, draw, prepared_state, saw
from envs.gyms.shop.tasks_account import ACCOUNT
from envs.gyms.shop.tasks_buying import BUYING
from envs.gyms.shop.vocabulary import words_of
from envs.session import Verdict
from envs.tasks import Env, Limits, Task, split_of
from envs.verify.expect import check

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

TEMPLATES: dict[str, Template] = {template.name: template for template in (*BUYING, *ACCOUNT)}


class Shop:
    """See `envs.gyms.gym.WebGym`.

    Score 1 if and only if the state after is the expected one and the answer is right; both are
    computed here from (task, before, after, answer) alone."""

    name = "shop"
    env: Env = "browser"

    @property
    def templates(self) -> tuple[str, ...]:
        return tuple(TEMPLATES)

    def level(self, template: str) -> int:
        return level_of(_template(template).steps)

    def make_task(self, template: str, seed: int) -> Task:
        spec = _template(template)
        instruction, params = draw(spec, seed)
        return Task(
            id=f"shop/{template}@{seed}",
            instruction=instruction,
            gym=self.name,
            template=template,
            seed=seed,
            params=params,
            milestones=tuple(name for name, _ in spec.milestones),
            limits=Limits(max_steps=2 * spec.steps + 3),
            split=split_of(seed),
        )

    def stray(self, state: State, rng: random.Random) -> None:
        catalogue = hydrate(rng.randrange(10**6))
        kept = {entry["id"] for entry in state["wishlist"]}
        product = rng.choice([one for one in catalogue.products if one.id not in kept])
        set_wish(catalogue, state, product.id, True)

    def start_path(self, task: Task) -> str:
        return "/shop/"

    def routes(self) -> list[BaseRoute]:
        # Only the gym server needs a web framework; verdicts and tasks are made elsewhere too.
        from envs.gyms.shop.app import routes

        return routes()

    def initial_state(self, task: Task) -> State:
        return prepared_state(_template(task.template), task.seed)

    def verdict(
        self, task: Task, before: State, after: State, answer: str | None, infeasible: bool
    ) -> Verdict:
        spec, catalogue = _template(task.template), hydrate(task.seed)
        findings = check(
            before,
            spec.expected(catalogue, task.params, before),
            after,
            INCIDENTAL,
            spec.passing,
        )
        expected = spec.answer(catalogue, task.params, before) if spec.answer else None
        answer_ok = expected is None or same_amount(answer, expected)
        looked = all(saw(event)(Evidence(task.params, before, after)) for event in spec.must_see)
        ending_ok = infeasible == spec.infeasible and (looked or not infeasible)
        success = findings.holds and answer_ok and ending_ok
        reached = _reached(spec, Evidence(task.params, before, after, finished=success))
        score = 1.0 if success else partial_score(reached, findings)
        details = {"state": findings.told(), "answer_ok": answer_ok, "ending_ok": ending_ok}
        return Verdict(score=score, milestones=reached, details=details)

    def oracle(self, task: Task) -> Oracle:
        return ShopOracle(task)

    def corpus(self, seed: int) -> list[str]:
        """Instructions of every template, the pages' words, and lines as trees show them."""
        rng = random.Random(f"corpus:{seed}")
        tasks = [self.make_task(name, seed).instruction for name in TEMPLATES for _ in range(2)]
        return tasks + words_of(hydrate(seed), rng)


GYM = Shop()


def _template(name: str | None) -> Template:
    template = TEMPLATES.get(name or "")
    if template is None:
        raise KeyError(f"the shop has no template {name!r}; there are: {', '.join(TEMPLATES)}")
    return template


def _reached(spec: Template, evidence: Evidence) -> dict[str, bool]:
    return {name: bool(holds(evidence)) for name, holds in spec.milestones}


def same_amount(said: str | None, expected: str) -> bool:
    """Whether a typed answer names this amount of money: by value, not by spelling."""
    left, right = _amount(said or ""), _amount(expected)
    return left is not None and left == right


def _amount(text: str) -> Decimal | None:
    words = text.replace("USD", " ").replace(",", "").replace("$", " ").strip().rstrip(".").split()
    if len(words) != 1 or len(words[0]) > 20:
        return None
    try:
        value = Decimal(words[0])
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
