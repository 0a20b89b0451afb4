"""Scripts of pyautogui with any arguments are read or refused."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from envs.contract.actions import MAX_ACTIONS, ActionResult, Wait
from envs.dialects import osworld
from envs.dialects.dialect import MAX_WAIT_MS, Display, Parsed

DISPLAY = Display(1280, 800, shown=(1024, 640))

letters = st.characters() | st.characters(categories=["Cs"])

texts = st.text(letters, max_size=40)

numbers = st.integers() | st.floats() | st.just(10**400)

values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)


def check(parsed: Parsed) -> None:
    assert (parsed.error is None) == bool(parsed.actions)
    assert len(parsed.actions) <= MAX_ACTIONS
    waited = sum(action.ms for action in parsed.actions if isinstance(action, Wait))
    assert waited <= MAX_WAIT_MS
    if parsed.error is not None:
        assert parsed.error.message
        ActionResult.model_validate_json(parsed.error.model_dump_json())
    else:
        assert parsed.action is not None


@given(
    name=st.sampled_from(["click", "press", "write", "scroll", "moveTo", "hotkey", "dragTo"]),
    args=st.lists(values, max_size=4),
    kwargs=st.dictionaries(st.sampled_from(["x", "y", "clicks", "button", "presses"]), values),
)
def test_any_arguments_of_a_script(
    name: str, args: list[object], kwargs: dict[str, object]
) -> None:
    given_args = [*map(repr, args), *(f"{key}={value!r}" for key, value in kwargs.items())]
    check(osworld.parse(f"pyautogui.{name}({', '.join(given_args)})", DISPLAY))
