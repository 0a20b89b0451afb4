from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_server.episodes.compact import parse, render
from envs.contract.actions import (
    Action,
    ActionError,
    ActionResult,
    Batch,
    Click,
    Done,
    Drag,
    History,
    Infeasible,
    Key,
    Mark,
    Move,
    Navigate,
    Scroll,
    SetValue,
    Space,
    Target,
    Tool,
    Type,
    Zoom,
    single_actions,
)
from envs.contract.observations import TreeLine

LINES = [
    TreeLine("link", "Cart (2)", None, (), (), 7),
    TreeLine("select", "Sort", "Relevance", ("Relevance", "Price low to high"), (), 4),
    TreeLine("box", "Search", None, (), (), 2),
    TreeLine("check", "I agree", None, (), (), 9),
]


def spot(x: float, y: float) -> Target:
    return Target(x=x, y=y, space=Space.NORM1000)


def failure(message: str) -> ActionResult:
    return ActionResult.failure(ActionError.MALFORMED, message)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Click(target=Target(ref=7)), "click Cart"),
        (Move(target=Target(ref=7)), "hover Cart"),
        (
            Type(target=Target(ref=2), text="blue shirt", clear=True, submit=True),
            "enter Search = blue shirt",
        ),
        (Type(target=Target(ref=2), text="a", clear=True), "type Search = a"),
        (SetValue(target=Target(ref=4), value="Price low to high"),
         "select Sort = Price low to high"),
        (SetValue(target=Target(ref=2), value="x"), "set Search = x"),
        (SetValue(target=Target(ref=9), value=True), "check I agree"),
        (SetValue(target=Target(ref=9), value=False), "uncheck I agree"),
        (Scroll(dy=1, unit="page"), "scroll down"),
        (History(op="back"), "back"),
        (Navigate(url="/cart"), "goto /cart"),
        (Key(keys=("ctrl", "a")), "key ctrl+a"),
        (Done(), "done"),
        (Done(answer="$42.50"), "done = $42.50"),
        (Infeasible(reason="no such colour"), "infeasible = no such colour"),
        (Tool(name="browser.find_text", arguments={"text": "Total"}), "find = Total"),
        (
            Tool(name="browser.fill_form", arguments={"fields": {"2": "Anna", "9": "Bonn"}}),
            "fill #2 = Anna ; #9 = Bonn",
        ),
        (Tool(name="browser.read_table", arguments={}), "tool browser.read_table {}"),
        (Zoom(corners=(spot(100, 50), spot(600, 1000))), "zoom 100 50 600 1000"),
        (Zoom(corners=(spot(0, 0), spot(9, 9)), enlarge=False), "crop 0 0 9 9"),
        (Mark(points=(spot(1, 2), spot(3, 4), spot(5, 6))), "mark 1 2 3 4 5 6"),
    ],
)  # fmt: skip
def test_actions_have_a_copy_friendly_line_and_read_back(action: Action, text: str) -> None:
    assert render("open the cart", action, LINES) == f"open the cart\n{text}"
    parsed = parse(f"open the cart\n{text}", LINES)
    assert (parsed.thought, parsed.action, parsed.error) == ("open the cart", action, None)


def test_an_element_is_called_as_its_caller_wants_where_that_means_it() -> None:
    mails = [TreeLine("link", f"{name} 2 new", None, (), (), ref)
             for ref, name in ((1, "Ann Lee"), (2, "Bo Lee"), (3, "Bo Day"))]  # fmt: skip
    assert render("", Click(target=Target(ref=1)), mails, "Ann") == "click Ann"
    assert render("", Click(target=Target(ref=2)), mails, "Bo") == "click Bo #2"
    assert render("", Click(target=Target(ref=3)), mails, "") == "click #3"
    assert render("", Click(target=Target(ref=3)), mails, "Cid") == "click Bo Day"


TWINS = [
    TreeLine("button", "Remove", None, (), (), 3),
    TreeLine("box", "Size", None, (), (), 4),
    TreeLine("button", "Remove", None, (), (), 5),
    TreeLine("link", "Size", None, (), (), 6),
    TreeLine("text", "Remove", None, (), (), None),
    TreeLine("link", "Oak Bag $12.50", None, (), (), 7),
    TreeLine("link", "Oak Bag Large $15", None, (), (), 8),
    TreeLine("link", "Order 7 of 2 May", None, (), (), 10),
    TreeLine("link", "Order 8 of 2 May", None, (), (), 11),
]


def test_the_number_is_written_only_where_several_have_the_name() -> None:
    assert render("", Click(target=Target(ref=5)), TWINS) == "click Remove #5"
    assert render("", Type(text="M", target=Target(ref=4), clear=True), TWINS) == "type Size = M"
    assert render("", Click(target=Target(ref=6)), TWINS) == "click Size #6"
    assert render("", Click(target=Target(ref=9)), TWINS) == "click #9"


def test_a_name_is_cut_before_its_first_number_and_twins_get_theirs_instead() -> None:
    assert render("", Click(target=Target(ref=8)), TWINS) == "click Oak Bag Large"
    assert render("", Click(target=Target(ref=7)), TWINS) == "click Oak Bag #7"
    assert render("", Click(target=Target(ref=11)), TWINS) == "click Order #11"


def test_the_whole_name_wins_over_a_name_that_begins_with_it() -> None:
    lines = [
        TreeLine("link", "Cart", None, (), (), 1),
        TreeLine("link", "Cart rules", None, (), (), 2),
    ]
    assert parse("click Cart", lines).action == Click(target=Target(ref=1))
    assert parse("click Cart rules", lines).action == Click(target=Target(ref=2))
    assert parse("click Car", lines).error == failure("nothing here to click is called 'Car'")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("click Remove", "several are called 'Remove': #3, #5; add the number"),
        ("click Order", "several are called 'Order': #10, #11; add the number"),
        ("click Gone", "nothing here to click is called 'Gone'"),
        ("type Remove = x", "nothing here to type is called 'Remove'"),
        ("click Size #5", "#5 is called 'Remove', not 'Size'"),
    ],
)
def test_a_name_that_does_not_point_at_one_element_is_refused(text: str, complaint: str) -> None:
    parsed = parse(text, TWINS)
    assert (parsed.action, parsed.error) == (None, failure(complaint))


def test_a_ref_that_is_not_on_the_page_is_left_to_the_host() -> None:
    assert parse("click Gone #99", TWINS).action == Click(target=Target(ref=99))


def test_refs_are_bound_to_the_tree_they_were_read_from() -> None:
    assert parse("click Cart (2)", LINES, tree=12).action == Click(target=Target(ref=7, tree=12))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "empty"),
        ("a\nb\nclick X #1", "one thought line"),
        ("just thinking", "cannot read"),
        ("click Cart", "nothing here"),
        ("type Search #2", "needs ' = value'"),
        ("click Cart #2 = 5", "takes no"),
        ("click Cart #0", "ref"),
        ("tool browser.goto {not json", "JSON"),
        ("tool browser.goto [1]", "object"),
        ('tool browser.goto {"url": "\\ud800"}', "JSON"),
        ('act {"type": "click", "x": 5}', "x"),
        ('act {"type": "format_disk"}', "bad action"),
        ("fill name = Anna", "fill wants"),
        ("zoom 1 2 3", "zoom needs x1 y1 x2 y2"),
        ("crop 1 2 3 4 5 6", "crop needs x1 y1 x2 y2"),
    ],
)
def test_unreadable_answers_are_errors_the_policy_can_read(text: str, complaint: str) -> None:
    parsed = parse(text)
    assert parsed.action is None
    assert parsed.error is not None
    assert complaint in parsed.error.message


@given(st.text(max_size=300))
def test_parse_never_raises_and_sets_exactly_one_of_action_and_error(text: str) -> None:
    parsed = parse(text)
    assert (parsed.action is None) != (parsed.error is None)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
refs = st.builds(Target, ref=st.integers(1, 99))
points = st.builds(Target, x=st.integers(0, 999), y=st.floats(0, 999), space=st.sampled_from(Space))
actions = st.one_of(
    st.builds(Click, target=refs | points, count=st.integers(1, 3)),
    st.builds(Type, text=texts, target=refs, clear=st.booleans(), submit=st.booleans()),
    st.builds(SetValue, target=refs, value=texts | st.booleans()),
    st.builds(Drag, path=st.tuples(points, points)),
    st.builds(Zoom, corners=st.tuples(points, points), enlarge=st.booleans()),
    st.builds(Mark, points=st.tuples(points), line=st.booleans()),
    st.builds(Key, keys=st.tuples(st.sampled_from(["ctrl", "+", "a", "Enter"]))),
    st.builds(Navigate, url=texts),
    st.builds(Done, answer=st.none() | texts),
    st.builds(Infeasible, reason=texts),
    st.builds(Scroll, dy=st.sampled_from([1, -1, 40]), unit=st.sampled_from(["px", "page"])),
    st.builds(Tool, name=st.just("browser.fill_form"),
              arguments=st.fixed_dictionaries({"fields": st.dictionaries(texts, texts)})),
    st.builds(Tool, name=st.sampled_from(["browser.find_text", "x.y"]),
              arguments=st.dictionaries(texts, texts, max_size=2)),
    st.builds(Batch, actions=st.tuples(st.just(Click(target=Target(ref=3))))),
)  # fmt: skip


@given(actions, texts)
def test_every_action_survives_rendering_and_parsing(action: Action, thought: str) -> None:
    rendered = render(thought, action, LINES)
    assert parse(rendered, LINES).actions == single_actions(action)
