"""Elements are escaped; attributes follow their rules."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.kit.html import (
    badge,
    details,
    drawn_text,
    el,
    get_initials,
    join,
    link,
    menu,
    select,
)


def test_text_is_escaped_and_markup_is_not() -> None:
    assert el("p", "<b>", Markup("<i></i>"), 3, None) == "<p>&lt;b&gt;<i></i>3</p>"
    assert join(["a", [1, None, ("<",)]]) == "a1&lt;"


def test_attributes_follow_their_value() -> None:
    html = el("input", name='"', class_="x", data_id=0, hidden=True, checked=False, id=None)
    assert html == '<input name="&#34;" class="x" data-id="0" hidden>'


def test_widgets() -> None:
    assert link("A", "/a", "B") == '<a href="/a" aria-label="B">A</a>'
    assert badge("On hold") == '<span class="badge on-hold">On hold</span>'
    assert '<option value="2" selected>Two</option>' in select(
        "n", [("1", "One"), ("2", "Two")], "2"
    )
    assert details(("Name", "x")).count("<div") == 2
    assert menu("More", "x").startswith('<details class="more"><summary>More</summary>')


def test_names_have_initials() -> None:
    assert get_initials("Ada King Lovelace") == "AL"
    assert get_initials("ada") == "a"
    assert get_initials("") == ""


def test_drawn_text_is_no_text_of_the_page() -> None:
    assert drawn_text("<a>", "snippet") == '<span class="snippet" data-text="&lt;a&gt;"></span>'
