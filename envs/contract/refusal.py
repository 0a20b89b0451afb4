"""How a performer stops at an action that cannot be carried out."""

from __future__ import annotations

from envs.contract.actions import ActionError, ActionResult


class Refusal(Exception):
    """Ends the action; `result` is what the agent reads of it."""

    def __init__(self, error: ActionError, message: str) -> None:
        super().__init__(message)
        self.result = ActionResult.failure(error, message)
