"""Scripts of buttons, tabs, menus and trees."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.scripts import buttons
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.miniwob.play import observation, play


def test_buttons_by_name() -> None:
    page = observation('text Click on the "Yes" button.', "button No #", "button Yes #")
    assert play(buttons.quoted_button, page) == ["click Yes"]
    page = observation(
        "text Click button ONE, then click button TWO.", "button TWO #", "button ONE #"
    )
    assert play(buttons.button_sequence, page) == ["click ONE", "click TWO"]
    assert play(buttons.named_button, page) == ["click ONE"]
    assert play(buttons.only_button, page) == ["click TWO"]


def test_tabs_are_opened_until_the_link_shows() -> None:
    query = 'text Switch between the tabs to find and click on the link "sit".'
    closed = observation(query, "tab Tab #1 #", "tab Tab #2 #", "link amet #")
    opened = observation(query, "tab Tab #1 #", "tab Tab #2 #", "link sit #")
    moves = play(buttons.link_behind_tabs, closed, closed, opened)
    assert moves[-1] == "click sit"
    assert len(moves) == 3
    assert play(buttons.link_behind_tabs, opened) == ["click sit"]


def test_the_x_of_a_dialog_is_called_close() -> None:
    query = 'text Close the dialog box by clicking the "x".'
    assert play(buttons.close_dialog, observation(query, "button Close #")) == ["click Close"]


def test_menus_are_hovered_to_their_leaf() -> None:
    page = observation("text Select A>B>C", "menu A #", "menu B #", "menu C #")
    assert play(buttons.nested_menu, page) == ["move A", "move B", "click C"]
    icon = observation(
        "text Click the menu item with this icon",
        "heading disk icon",
        "button Menu #",
        "menu Save #",
    )
    assert play(buttons.icon_menu, icon) == ["click Menu", "click Save"]


def test_a_text_area_is_no_text_box() -> None:
    lines = ("box text area #", "box #")
    area = observation('text Click on a "textarea" widget.', *lines)
    assert play(buttons.widget, area) == ["click text area"]
    assert play(buttons.widget, observation('text Click on a "text" widget.', *lines)) == ["click"]


def test_folders_are_opened_once_each() -> None:
    query = 'text Navigate through the file tree. Find and click on the folder or file named "Bo".'
    closed = observation(query, "button Ann #")
    opened = observation(query, "button Ann #", "link Bo #")
    assert play(buttons.file_tree, closed, opened) == ["click Ann", "click Bo"]
    with pytest.raises(OracleLost, match="no folder has Bo"):
        play(buttons.file_tree, closed)
