"""The actions of one step, one after the other: in the same way on every kind of session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from envs.actions import Action, ActionResult, Batch, SimpleAction


async def in_turn(
    actions: Sequence[Action], act: Callable[[SimpleAction, bool], Awaitable[ActionResult]]
) -> list[ActionResult]:
    """One result an action, up to and with the first that failed: what follows was meant for what
    it would have led to. A batch is one action; its value is the list of its parts' values. `act`
    is told whether no action follows."""
    results: list[ActionResult] = []
    for index, action in enumerate(actions):
        final = index == len(actions) - 1
        if isinstance(action, Batch):
            results.append(await _batch(action, final, act))
        else:
            results.append(await act(action, final))
        if not results[-1].ok:
            break
    return results


async def _batch(
    batch: Batch, final: bool, act: Callable[[SimpleAction, bool], Awaitable[ActionResult]]
) -> ActionResult:
    values = []
    for index, part in enumerate(batch.actions):
        result = await act(part, final and index == len(batch.actions) - 1)
        if not result.ok:
            message = f"action {index + 1} of the batch: {result.message}"
            return result.model_copy(update={"message": message})
        values.append(result.value)
    return ActionResult.success([value for value in values if value is not None] or None)
