"""Which task next: a template is sampled by its recent success rate, and its gym makes the task.

A template in the band (30 to 70% by default) weighs more, because its groups hold both successes
and failures; no template starves, because the others keep weight 1. With `active`, only some are
sampled at once, and with `revisit` a share of the tasks is of what was drawn longest ago. Seeds are
drawn from the train range only, so held-out tasks are never seen.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from envs.contract.task import HELDOUT_SEED_BASE, Task
from tasksets.registry import get_gym
from trainer.curriculum_config import CurriculumConfig
from trainer.leads import Leads
from trainer.template_pool import TemplatePool


class TaskSampler:
    """Deterministic, by its seed and the order of its calls."""

    def __init__(self, templates: Sequence[str], config: CurriculumConfig, seed: int) -> None:
        self._config = config
        self._rng = random.Random(f"curriculum:{seed}")
        self._rates: dict[str, float | None] = dict.fromkeys(templates)
        self._longest: dict[str, int] = {}
        self._steps: dict[str, float] = {}
        self.pool = TemplatePool(templates, config)
        self.leads = Leads()
        self._draws = 0
        self._drawn_at: dict[str, int] = {}

    def rate(self, template: str) -> float | None:
        """The template's recent success rate; None before its first group."""
        return self._rates[template]

    def longest_success(self, template: str) -> int | None:
        """Steps of the longest episode that solved a task of the template; None before any."""
        return self._longest.get(template)

    def expected_steps(self, template: str) -> float | None:
        """Steps of the template's recent episodes on average; None before its first group."""
        return self._steps.get(template)

    def weight(self, template: str) -> float:
        """Relative probability; a template without a rate yet counts as in the band."""
        rate = self._rates[template]
        if rate is None or self._config.low <= rate <= self._config.high:
            return self._config.weight
        return 1.0

    def sample(self, count: int) -> list[tuple[str, int]]:
        """(template, train seed) pairs."""
        templates = self.pool.choices()
        weights = [self.weight(template) for template in templates]
        chosen = self._rng.choices(templates, weights, k=count)
        if self._config.revisit:
            chosen = [self._revisit(template) for template in chosen]
        return [(template, self._rng.randrange(HELDOUT_SEED_BASE)) for template in chosen]

    def _revisit(self, template: str) -> str:
        """The template, or at times the one that was drawn longest ago."""
        if self._rng.random() < self._config.revisit:
            template = min(self._rates, key=lambda name: self._drawn_at.get(name, -1))
        self._drawn_at[template] = self._draws
        self._draws += 1
        return template

    def record_group(
        self, template: str, successes: int, episodes: int, longest_success: int = 0, steps: int = 0
    ) -> None:
        """Takes one group's result into the template's rate and length, exponential moving
        averages, and the steps of its longest success; `steps` are of all its episodes."""
        if episodes == 0:
            return
        if longest_success:
            self._longest[template] = max(longest_success, self._longest.get(template, 0))
        rate = self._average(self._rates[template], successes / episodes)
        self._rates[template] = rate
        self.pool.record(template, rate)
        self._steps[template] = self._average(self._steps.get(template), steps / episodes)

    def _average(self, before: float | None, value: float) -> float:
        memory = self._config.memory
        return value if before is None else memory * before + (1 - memory) * value

    def metrics(self) -> dict[str, float]:
        """Rates of the templates that have one."""
        return {name: rate for name, rate in self._rates.items() if rate is not None}

    def state_dict(self) -> dict[str, Any]:
        """For a checkpoint: plain values only."""
        version, internal, gauss = self._rng.getstate()
        return {
            "rates": dict(self._rates),
            "longest": dict(self._longest),
            "steps": dict(self._steps),
            "pool": self.pool.state_dict(),
            "leads": self.leads.state_dict(),
            "draws": self._draws,
            "drawn_at": dict(self._drawn_at),
            "rng": [version, list(internal), gauss],
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continues where `state_dict` was taken."""
        self._rates.update(state["rates"])
        self._longest = dict(state["longest"])
        self._steps = dict(state["steps"])
        if "pool" in state:
            self.pool.load_state_dict(state["pool"])
            self._draws, self._drawn_at = state["draws"], dict(state["drawn_at"])
        self.leads.load_state_dict(state.get("leads", {}))
        version, internal, gauss = state["rng"]
        self._rng.setstate((version, tuple(internal), gauss))


def make_task(template: str, seed: int) -> Task:
    """A task of "gym/template"."""
    gym, _, name = template.partition("/")
    return get_gym(gym).make_task(name, seed)
