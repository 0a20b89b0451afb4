"""Scripts for tasks with controls that take a value: boxes, lists, colors, sliders, spinners."""

from __future__ import annotations

import re

from envs.contract.actions import SetValue
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script, act, press_keys

_COLOR_CODES = {
    "red": "FF0000",
    "green": "008000",
    "blue": "0000FF",
    "lime": "00FF00",
    "yellow": "FFFF00",
    "magenta": "FF00FF",
    "cyan": "00FFFF",
    "black": "000000",
    "white": "FFFFFF",
    "gray": "808080",
    "grey": "808080",
    "orange": "FFA500",
    "purple": "800080",
    "olive": "808000",
    "pink": "FFC0CB",
    "aqua": "00FFFF",
    "maroon": "800000",
    "navy": "000080",
    "silver": "C0C0C0",
    "teal": "008080",
    "gold": "FFD700",
}
_MAX_SLIDER_TRIES = 4
_MAX_KEY_REPEATS = 100


def check_boxes(page: LivePage) -> Moves:
    """The query lists the boxes to tick, or says "nothing"."""
    names = page.match_query(r"Select (.*) and click")[0]
    for name in [] if names == "nothing" else names.split(", "):
        yield page.click(page.get(name, "check"))
    yield page.submit()


def radio_button(page: LivePage) -> Moves:
    """The query names one radio button."""
    yield page.click(page.get(page.match_query(r"Select (.*) and click")[0], "radio"))
    yield page.submit()


def list_entries(page: LivePage) -> Moves:
    """The query names one entry of a list, or several of a list that takes several."""
    for name in page.match_query(r"Select (.*) from the")[0].split(", "):
        yield page.set(page.all("select")[0], name)
    yield page.submit()


def choice_and_button(page: LivePage) -> Moves:
    """An option of a drawn drop-down, and then a button."""
    option = page.match_query(r"Choose (.*) from the")[0]
    yield page.click(page.all("button")[0], "I open the list.")
    yield page.click(page.get(option, "option"))
    yield page.click(page.get(page.quoted_texts[0], "button"))


def color_box(page: LivePage) -> Moves:
    """The query names a color, or shows it."""
    shown_colors = [line.name.split()[0] for line in page.lines if line.role == "heading"]
    color = shown_colors[0] if shown_colors else page.match_query(r"the (\w+) colored")[0]
    yield page.click(page.get(f"{color} box", "button"))


def color_code(page: LivePage) -> Moves:
    """The field of a color wheel takes hexadecimal codes."""
    value = _COLOR_CODES[page.match_query(r"Select (\w+) with")[0]]
    action = SetValue(target=page.target(page.box()), value=value)
    yield act(f"I enter the color as {value}.", action)
    yield page.submit()


def spinner(page: LivePage) -> Moves:
    """A number box with buttons for up and down; it begins at 0."""
    value = int(page.match_query(r"Select (-?\d+)")[0])
    for count in range(abs(value)):
        shown = count if value > 0 else -count
        yield page.click(page.get("Up" if value > 0 else "Down"), f"{shown} of {value}.")
    yield page.submit(f"{value} of {value}.")


def sliders(page: LivePage) -> Moves:
    """The query gives a value for each slider."""
    for index, value in enumerate(re.findall(r"-?\d+", page.query)):
        yield from move_slider(page, index, int(value))
    yield page.submit()


def move_slider(page: LivePage, index: int, value: int) -> Moves:
    """Moves a slider by arrow keys. A press that was not counted in time is made up for."""
    handles = [line for line in page.all("button") if line.name == "Slider handle"]
    yield page.click(handles[index], "I take hold of the slider.")
    for _ in range(_MAX_SLIDER_TRIES):
        numbers = [text for text in page.texts if re.fullmatch(r"-?\d+", text)]
        distance = value - int(numbers[index])
        if not distance:
            return
        key = "right" if distance > 0 else "left"
        repeat = min(_MAX_KEY_REPEATS, abs(distance))
        yield press_keys(key, repeat=repeat, thought=f"I move it to {value}.")


def slider_and_check_box(page: LivePage) -> Moves:
    """A slider, and one of the check boxes by its place."""
    value, place = page.match_query(r"Select (-?\d+) with the slider, click the (\d)")
    yield from move_slider(page, 0, int(value))
    yield page.click(page.all("check")[int(place) - 1])
    yield page.submit()


SCRIPTS: dict[str, Script] = {
    "click-checkboxes": check_boxes,
    "click-checkboxes-large": check_boxes,
    "click-checkboxes-transfer": check_boxes,
    "click-option": radio_button,
    "click-scroll-list": list_entries,
    "choose-list": list_entries,
    "form-sequence-3": choice_and_button,
    "click-color": color_box,
    "use-colorwheel": color_code,
    "use-spinner": spinner,
    "use-slider": sliders,
    "use-slider-2": sliders,
    "form-sequence": slider_and_check_box,
}
