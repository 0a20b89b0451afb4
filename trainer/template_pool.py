"""Which templates are trained on at once: a few active ones, others wait, mastered ones rest.

    waiting --refill--> active --success above the band--> mastered
       ^                  | success below it for `patience` groups (demotion)
       +------------------+
       ^----------------------- a mastered one that fell below the band's upper end

Guarantees: every template is in exactly one of the three; `size` of them are active while enough
wait; the order in which they wait is that in which they came. Formulas are ours; the idea of a
curriculum that moves with success is WebRL's (arXiv:2411.02337) and AdaGRPO's (2509.18119).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainer.curriculum_config import CurriculumConfig


class TemplatePool:
    """Deterministic: it follows from the results that it was told, in their order."""

    def __init__(self, templates: Sequence[str], config: CurriculumConfig) -> None:
        self._config = config
        size = config.active or len(templates)
        self.active = list(templates[:size])
        self.waiting = list(templates[size:])
        self.mastered: list[str] = []
        self._groups = dict.fromkeys(templates, 0)
        """Groups of a template since it became active, or was mastered."""

    def record(self, template: str, rate: float) -> None:
        """Moves a template by its recent success rate, and refills."""
        config = self._config
        if not config.active:
            return
        self._groups[template] += 1
        # One lucky group says little: a rate counts after a few.
        is_known = self._groups[template] >= config.least_groups
        if template in self.active:
            if is_known and rate > config.high:
                self._move(template, self.active, self.mastered)
            elif self._groups[template] >= config.patience and rate < config.low and self.waiting:
                self._move(template, self.active, self.waiting)
        elif template in self.mastered and is_known and rate <= config.high:
            self._move(template, self.mastered, self.waiting)
        while self.waiting and len(self.active) < config.active:
            self._move(self.waiting[0], self.waiting, self.active)

    def choices(self) -> list[str]:
        """Templates to sample from: the active ones; all where everything is mastered."""
        return self.active or self.mastered

    def _move(self, template: str, source: list[str], target: list[str]) -> None:
        source.remove(template)
        target.append(template)
        self._groups[template] = 0

    def state_dict(self) -> dict[str, Any]:
        """For a checkpoint: plain values only."""
        return {
            "active": list(self.active),
            "waiting": list(self.waiting),
            "mastered": list(self.mastered),
            "groups": dict(self._groups),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continues where `state_dict` was taken."""
        self.active, self.waiting = list(state["active"]), list(state["waiting"])
        self.mastered, self._groups = list(state["mastered"]), dict(state["groups"])
