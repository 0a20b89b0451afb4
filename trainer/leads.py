"""How many steps the oracle takes first in each template, before the policy is on its own.

The rule: where all episodes of a group failed, the oracle leads a step further; where more than
half succeeded, a step less, down to none. So starts move back along the solution as the policy
succeeds (reverse curriculum, Florensa et al. 2017, arXiv:1707.05300), and a template that is solved
without help gets none. A result moves the lead by one step from where its own group was.
"""

from __future__ import annotations


class Leads:
    """Deterministic: it follows from the results that it was told."""

    def __init__(self) -> None:
        self._steps: dict[str, int] = {}

    def steps(self, template: str) -> int:
        """Steps of the oracle in the template's next led group; 0: it needs none."""
        return self._steps.get(template, 0)

    def record(self, template: str, lead: int, successes: int, episodes: int) -> None:
        """Takes the result of a group that was led for `lead` steps, or not at all."""
        before = self.steps(template)
        if episodes and not successes:
            self._steps[template] = max(before, lead + 1)
        elif 2 * successes > episodes:
            self._steps[template] = max(min(before, lead - 1), 0)

    def state_dict(self) -> dict[str, int]:
        """For a checkpoint."""
        return dict(self._steps)

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Continues where `state_dict` was taken."""
        self._steps = dict(state)
