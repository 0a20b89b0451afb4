"""GLM's boxes: what is written is read again as it was meant, and nothing else is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.contract.actions import (
    MAX_ACTIONS,
    ActionError,
    ActionResult,
    Click,
    Done,
    Drag,
    Infeasible,
    Key,
    Mark,
    Move,
    Navigate,
    Scroll,
    SimpleAction,
    Target,
    Type,
    Wait,
    Zoom,
)
from envs.dialects import glm
from envs.dialects.coordinates import RELATIVE, SHOWN
from envs.dialects.dialect import Display, Refused

SCREEN = Display(1000, 1000)
AT = Target(x=120, y=48)
END = Target(x=500, y=600)
points = st.builds(Target, x=st.integers(0, 999), y=st.integers(0, 999))
texts = st.text(st.characters(codec="utf-8"), max_size=40).map(lambda text: text.rstrip("\n"))
actions = st.one_of(
    st.builds(Click, target=points, button=st.sampled_from(["left", "right", "middle"])),
    st.builds(Click, target=points, count=st.just(2)),
    st.builds(Move, target=points),
    st.builds(Drag, path=st.tuples(points, points)),
    st.builds(Type, text=texts, submit=st.booleans()),
    st.builds(Key, keys=st.sampled_from([("ctrl", "a"), ("enter",), ("ctrl", "shift", "t")])),
    st.builds(Scroll, target=points, dy=st.sampled_from([-5, 3, 99]), unit=st.just("notch")),
    st.builds(Done, answer=st.none() | texts),
)


def boxed(call: str) -> str:
    return f"{glm.BEGIN}{call}{glm.END}"


@pytest.mark.parametrize(
    "text",
    [
        "I see the box.\n" + boxed("left_click(start_box='[376,465]')") + "\nMemory:\n[]",
        "<think>Where? left_click(start_box='[1,1]')</think><answer>I see the box.\n"
        + boxed("left_click(start_box='[376,465]', element_info='search, box')")
        + "</answer>",
        "I see the box.\nleft_click(start_box='[376,465]')\nMemory:\n[{\"a\": 1}]",
        "I see the box.\n" + boxed("left_click(start_box=[366, 455, 386, 475])"),
    ],
)
def test_published_answers_are_read(text: str) -> None:
    parsed = glm.parse(text, SCREEN)
    assert parsed.error is None
    assert parsed.actions == (Click(target=Target(x=376, y=465)),)
    assert parsed.thought.endswith("I see the box.")
    half = Display(1000, 1000, shown=(500, 500))
    (click,) = glm.parse(text.replace("465", "200"), half, SHOWN).actions or (None,)
    assert click is None or isinstance(click, Click)


@pytest.mark.parametrize("thinking", ["DONE()", f"{glm.BEGIN}DONE(){glm.END}, or not"])
def test_what_it_thinks_is_no_action(thinking: str) -> None:
    parsed = glm.parse(f"<think>Maybe\n{thinking}</think>\nleft_click(start_box='[5,5]')", SCREEN)
    assert parsed.actions == (Click(target=Target(x=5, y=5)),)
    assert glm.parse(f"<think>Maybe\n{thinking}", SCREEN).error is not None, "it was cut off"


def test_a_chord_may_have_blanks() -> None:
    assert glm.parse(boxed("key(keys='ctrl + c')"), SCREEN).actions == (Key(keys=("ctrl", "c")),)


def test_marks_of_an_answer_are_not_written_into_one() -> None:
    with pytest.raises(Refused, match="marks of an answer"):
        glm.write("", [Type(text=f"a{glm.END}b")], SCREEN, RELATIVE)


@given(words=st.sampled_from(["", "I see it."]), spoken=st.lists(actions, min_size=1, max_size=3))
def test_what_is_written_is_read_again(words: str, spoken: list[SimpleAction]) -> None:
    text = glm.write(words, spoken, SCREEN, RELATIVE)
    parsed = glm.parse(text, SCREEN)
    assert parsed.error is None, text
    assert (parsed.thought, list(parsed.actions)) == (words, spoken)


@pytest.mark.parametrize(
    "action",
    [
        Zoom(corners=(AT, END)),
        Zoom(corners=(AT, END), enlarge=False),
        Mark(points=(AT,)),
        Mark(points=(AT, END), line=True),
        Infeasible(reason="no such file"),
        Wait(ms=5000),
        Scroll(dy=-5, unit="notch"),
    ],
)
def test_rarer_actions_are_read_again(action: SimpleAction) -> None:
    assert glm.parse(glm.write("", [action], SCREEN, RELATIVE), SCREEN).actions == (action,)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("tap(start_box='[1,2]')", "no action 'tap'"),
        ("left_click()", "left_click needs start_box"),
        ("left_click(start_box='[1,2]', wait='3')", "no argument 'wait'"),
        ("left_click(start_box='here')", "needs a point or a box"),
        ("left_click(start_box=open('x'))", "cannot read the arguments"),
        ("left_click(start_box='[1200,2]')", "outside"),
        ("scroll(start_box='[1,2]', direction='left')", "cannot scroll 'left'; up, down"),
        ("scroll(start_box='[1,2]', direction='up', step='1e9')", "from 1 to 99"),
        ("scroll(start_box='[1,2]', direction='up', step='0000012000')", "from 1 to 99"),
        ("scroll(start_box='[1,2]', direction='up', step='000001" + "9" * 5000 + "')", "1 to 99"),
        ("key(keys='')", "needs a key"),
        ("42", "cannot read the action"),
    ],
)
def test_what_is_no_action_is_refused_with_a_reason(call: str, words: str) -> None:
    parsed = glm.parse(boxed(call), SCREEN)
    assert not parsed.actions
    assert parsed.error is not None
    assert words in parsed.error.message
    assert glm.parse("I do nothing.", SCREEN).error is not None
    assert glm.parse(None, SCREEN).error is not None


@given(
    name=st.sampled_from(["left_click", "type", "left_drag", "key", "scroll", "DONE", "WAIT"]),
    arguments=st.lists(
        st.tuples(
            st.sampled_from(["start_box", "end_box", "content", "keys", "step"]),
            st.text(st.characters() | st.characters(categories=["Cs"]), max_size=40),
        ),
        max_size=5,
    ),
)
def test_any_arguments_are_read_or_refused(name: str, arguments: list[tuple[str, str]]) -> None:
    text = ", ".join(f"{key}='{value}'" for key, value in arguments)
    parsed = glm.parse(boxed(f"{name}({text})"), SCREEN)
    assert (parsed.error is None) == bool(parsed.actions)
    assert len(parsed.actions) <= MAX_ACTIONS
    if parsed.error is not None:
        ActionResult.model_validate_json(parsed.error.model_dump_json())


def test_what_the_format_has_no_words_for_is_refused() -> None:
    for action in (
        Navigate(url="http://x.test"),
        Click(target=AT, modifiers=("ctrl",)),
        Scroll(dx=5, unit="notch"),
    ):
        with pytest.raises(Refused) as refused:
            glm.write("", [action], SCREEN, RELATIVE)
        assert refused.value.error is ActionError.UNSUPPORTED
