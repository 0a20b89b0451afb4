"""Inputs of forms."""

from __future__ import annotations

from envs.gyms.generated.html_parts import make_hidden_inputs, make_input, make_radio, make_tick
from envs.gyms.generated.screens import Control, Link, Row


def test_a_drop_down_shows_its_value() -> None:
    options = (("", "Any"), ("red", "Red & co"))
    control = Control(name="c", label="Colour", kind="choice", value="red", options=options)
    assert make_input(control, "Colour") == (
        '<select name="c" aria-label="Colour"><option value="">Any</option>'
        '<option value="red" selected>Red &amp; co</option></select>'
    )


def test_a_box_and_a_radio_button_know_whether_they_are_ticked() -> None:
    ticked = Control(name="f", label="Paid", kind="check", value="yes")
    assert " checked" in make_input(ticked)
    assert " checked" not in make_input(Control(name="f", label="Paid", kind="check"))
    choice = Control(name="k", label="Kind", kind="radio", value="dog")
    assert " checked" in make_radio(choice, "dog")
    assert " checked" not in make_radio(choice, "cat")


def test_what_a_text_holds_is_escaped() -> None:
    control = Control(name="t", label="Note", value='"><script>')
    assert "<script>" not in make_input(control, placeholder="12 kg")
    assert make_hidden_inputs({"a": "<"}) == ['<input type="hidden" name="a" value="&lt;">']


def test_only_rows_that_can_be_ticked_have_a_box() -> None:
    row = Row(name=Link("Blue room", "/x"), cells=())
    assert make_tick(row) is None
    assert 'aria-label="Select Blue room"' in str(
        make_tick(Row(name=Link("Blue room", "/x"), cells=(), tick="tick-a1"))
    )
