"""The style sheet of a page has its constants filled in, and nothing else changes."""

from __future__ import annotations

from envs.gyms.kit.style import make_style
from envs.gyms.server.themes import THEMES


def test_values_of_the_root_stand_in_place_of_their_variables() -> None:
    style = make_style(2, "a{color:var(--accent);fill:var(--state,var(--soft))}\n  b{top:0}\n")
    assert style == "a{color:#8ab4f8;fill:var(--state,#9aa3b2)}b{top:0}"
    assert "--accent:#8ab4f8" in THEMES[2]
    own = ":root{--mark-2:url(x)}i{background:var(--mark-2)}"
    assert make_style(0, own) == "i{background:url(x)}"


def test_what_a_sheet_changes_below_the_root_stays_a_variable() -> None:
    style = make_style(0, ".app{--round:9px}", "b{border-radius:var(--round);color:var(--on)}")
    assert style == ":root{--round:4px}.app{--round:9px}b{border-radius:var(--round);color:#fff}"


def test_an_icon_is_a_picture_of_its_own_color() -> None:
    style = make_style(0, "a{background:var(--icon-folder-8a6d1d)}b{-webkit-mask:var(--icon-clip)}")
    picture, mask = style.split("b{")
    assert picture.startswith('a{background:url("data:image/svg+xml,')
    assert "stroke='%238a6d1d'" in picture
    assert mask.startswith('-webkit-mask:url("data:image/svg+xml,')
