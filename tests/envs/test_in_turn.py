"""Results of several actions in one step."""

from __future__ import annotations

from envs.actions import Action, ActionError, ActionResult, Batch, Key, SimpleAction
from envs.in_turn import in_turn


def key(name: str) -> Key:
    return Key(keys=(name,))


async def results(*actions: Action) -> tuple[list[ActionResult], list[tuple[str, bool]]]:
    """Of an environment whose key F1 is broken, and which keys it got, the last one marked."""
    pressed: list[tuple[str, bool]] = []

    async def act(action: SimpleAction, final: bool) -> ActionResult:
        assert isinstance(action, Key)
        pressed.append((action.keys[0], final))
        if action.keys == ("F1",):
            return ActionResult.failure(ActionError.BAD_VALUE, "no F1")
        return ActionResult.success(action.keys[0])

    return await in_turn(actions, act), pressed


async def test_a_batch_has_one_result_with_the_values_of_its_parts() -> None:
    found, pressed = await results(key("a"), Batch(actions=(key("b"), key("c"))))
    assert [result.value for result in found] == ["a", ["b", "c"]]
    assert pressed == [("a", False), ("b", False), ("c", True)]


async def test_what_follows_a_failure_is_not_done() -> None:
    found, pressed = await results(
        key("a"), Batch(actions=(key("b"), key("F1"), key("c"))), key("d")
    )
    assert [result.ok for result in found] == [True, False]
    assert found[1].message == "action 2 of the batch: no F1"
    assert [name for name, _ in pressed] == ["a", "b", "F1"]


async def test_no_actions_have_no_results() -> None:
    assert await results() == ([], [])
