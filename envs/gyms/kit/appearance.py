"""How the pages of a seed are laid out and coloured."""

from __future__ import annotations

import random
from dataclasses import dataclass

from envs.contract.task import Task

LAYOUTS, THEMES = 3, 4


@dataclass(frozen=True, slots=True)
class Appearance:
    """`layout` places the navigation (0 above, 1 at the left, 2 behind a menu button)."""

    layout: int
    theme: int

    @classmethod
    def sample(cls, rng: random.Random) -> Appearance:
        """One layout and one theme at random."""
        return cls(rng.randrange(LAYOUTS), rng.randrange(THEMES))

    def of_task(self, task: Task) -> Appearance:
        """This one, or what the task says of its own (`appearance`): the same site, made anew.
        Numbers that are out of range count from the first again."""
        wish = (task.model_extra or {}).get("appearance")
        if not isinstance(wish, dict):
            return self
        layout, theme = wish.get("layout", self.layout), wish.get("theme", self.theme)
        return Appearance(int(layout) % LAYOUTS, int(theme) % THEMES)

    @property
    def page_size(self) -> int:
        """Rows on one page of a list."""
        return (10, 12, 8)[self.layout]
