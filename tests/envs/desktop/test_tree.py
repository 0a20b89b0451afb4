"""From accessible nodes to the compact tree, without a desktop."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from envs.contract.observations import parse_tree
from envs.desktop.a11y import Address, Node
from envs.desktop.tree import Element, clean, elements, render, window_lines
from envs.desktop.windows import WindowInfo

HERE = Address(":1.1", "/a")


def node(role: str, name: str = "", *states: str, **more: object) -> Node:
    shown = frozenset({"showing", "sensitive", *states})
    return Node(HERE, role, shown, name, box=(0, 0, 10, 10), **more)  # type: ignore[arg-type]


def lines(*tops: Node) -> list[str]:
    return render(elements(tops), 10_000)[0].splitlines()


def test_documents_come_before_tool_bars() -> None:
    frame = node("frame", "Untitled", children=[
        node("tool bar", "Standard", children=[node("push button", "Save")]),
        node("document text", "", children=[node("paragraph", "", text="Dear all")]),
    ])  # fmt: skip
    assert lines(frame) == ["para Dear all #1", "button Save #2"]


def test_what_is_not_shown_or_has_no_size_is_left_out() -> None:
    hidden = Node(HERE, "push button", frozenset(), "Hidden", box=(0, 0, 5, 5))
    flat = Node(HERE, "push button", frozenset({"showing"}), "Flat", box=(0, 0, 5, 0))
    assert lines(node("frame", "", children=[hidden, flat])) == []


def test_a_page_shows_what_lies_in_a_part_without_a_size() -> None:
    column = node("section", "", children=[node("radio button", "Allow")])
    column.box = (0, 199, 854, 0)
    assert lines(node("document web", "", children=[column])) == ["radio Allow #1"]


def test_states_and_values_follow_the_name() -> None:
    made = [
        node("check box", "Bold", "checked"),
        node("entry", "Name", "focused", text="Ada"),
        Node(HERE, "push button", frozenset({"showing"}), "Undo", box=(0, 0, 5, 5)),
        node("table cell", "B2", text="7"),
    ]
    assert lines(*made) == [
        "check Bold (checked) #1",
        "box Name = Ada (focused) #2",
        "button Undo (disabled) #3",
        "cell B2 = 7 #4",
    ]


def test_an_unnamed_button_is_called_after_its_tool_bar() -> None:
    bar = node("tool bar", "Styles", children=[node("toggle button", "")])
    assert lines(bar) == ["button Styles #1"]


def test_the_budget_cuts_whole_lines_and_says_how_many_are_left() -> None:
    made = [Element("button", "One", None, ()), Element("button", "Two", None, ())]
    text, count = render(made, len("button One #1") + 1)
    assert (text, count) == ("button One #1", 1)


def test_windows_are_listed_from_the_front() -> None:
    back = WindowInfo(1, "A", "a", None, 0, 0, 1, 1, False, True)
    front = WindowInfo(2, "B", "b", None, 0, 0, 1, 1, True, False)
    shown = render(window_lines([back, front]), 1000)[0]
    assert shown.splitlines() == ["window B (active) #1", "window A (minimized) #2"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_every_line_reads_back_as_it_was_meant(name: str, value: str) -> None:
    element = Element("box", clean(name), clean(value), (), node("entry"))
    text, _ = render([element], 10_000)
    parsed = parse_tree(text)
    assert len(parsed) == 1
    assert parsed[0].ref == 1
    assert parsed[0].name == clean(name)
