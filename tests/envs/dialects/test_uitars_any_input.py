"""UI-TARS answers with any arguments are read or refused."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from envs.contract.actions import MAX_ACTIONS, ActionResult, Wait
from envs.dialects import uitars
from envs.dialects.dialect import MAX_WAIT_MS, Display, Parsed

DISPLAY = Display(1280, 800, shown=(1024, 640))

letters = st.characters() | st.characters(categories=["Cs"])

texts = st.text(letters, max_size=40)


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
    name=st.sampled_from(["click", "type", "drag", "hotkey", "scroll", "finished", "wait"]),
    arguments=st.lists(
        st.tuples(st.sampled_from(["start_box", "end_box", "content", "key", "direction"]), texts),
        max_size=5,
    ),
)
def test_any_arguments_of_a_uitars_action(name: str, arguments: list[tuple[str, str]]) -> None:
    arguments_text = ", ".join(f"{key}='{value}'" for key, value in arguments)
    check(uitars.parse(f"Action: {name}({arguments_text})", DISPLAY))


@given(text=st.text(st.characters(codec="utf-8"), max_size=60))
def test_uitars_types_any_text_that_is_written_with_escapes(text: str) -> None:
    text = text.rstrip("\n")
    written = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    (action,) = uitars.parse(f"Action: type(content='{written}')", DISPLAY).actions
    assert action.type == "type"
    assert (action.text, action.submit) == (text, False)
