"""A style sheet gets the icons that it paints, and no others."""

from __future__ import annotations

import pytest

from envs.gyms.kit.icons import GRAY, ICONS, make_icon_style


def test_only_icons_that_occur_are_defined() -> None:
    style = make_icon_style("a{x:var(--icon-page)}b{x:var(--icon-page) var(--icon-folder)}")
    assert style.startswith(':root{--icon-folder:url("data:image/svg+xml,')
    assert style.count("--icon-") == 2
    assert ICONS["folder"] in style
    assert make_icon_style("a{color:red}") == ""


def test_an_icon_may_have_a_color() -> None:
    style = make_icon_style("a{x:var(--icon-page-d64535)}b{x:var(--icon-page)}")
    assert style.count("--icon-page:") == style.count("--icon-page-d64535:") == 1
    assert style.count(f"stroke='%23{GRAY}'") == style.count("stroke='%23d64535'") == 1


def test_an_icon_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError, match="unicorn"):
        make_icon_style("a{x:var(--icon-unicorn)}")
