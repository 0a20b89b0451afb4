"""Scripts for tasks that are solved by clicking: buttons, links, tabs, dialogs, menus, trees."""

from __future__ import annotations

from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script
from envs.gyms.server.gym import OracleLost

_ICON_LABELS = {
    "disk": "Save",
    "seek-start": "Prev",
    "stop": "Stop",
    "play": "Play",
    "seek-end": "Next",
    "zoomin": "Zoom In",
    "zoomout": "Zoom Out",
}
_WIDGET_ROLES = {
    "radio": "radio",
    "checkbox": "check",
    "button": "button",
    "text": "box",
    "textarea": "box",
}
_TEXT_AREA = "text area"
"""The name that `page.js` gives to text areas, to tell them from text boxes."""


def only_button(page: LivePage) -> Moves:
    """The page has one button."""
    yield page.click(page.all("button")[0])


def named_button(page: LivePage) -> Moves:
    """The query names the button, without quotes."""
    yield page.click(page.get(page.match_query(r"[Cc]lick button (\w+)")[0], "button"))


def quoted_button(page: LivePage) -> Moves:
    """The query quotes the button's label."""
    yield page.click(page.get(page.quoted_texts[0], "button"))


def button_sequence(page: LivePage) -> Moves:
    """Two buttons, one after the other."""
    yield page.click(page.get("ONE", "button"))
    yield page.click(page.get("TWO", "button"))


def quoted_link(page: LivePage) -> Moves:
    """The query quotes the link's text."""
    yield page.click(page.get(page.quoted_texts[0], "link"))


def link_behind_tabs(page: LivePage) -> Moves:
    """The link may be on any of several tabs or sections."""
    link = page.quoted_texts[-1]
    if not page.find(link, "link"):
        for name in [line.name for line in page.all("tab")]:
            yield page.click(page.get(name, "tab"), f"Not here: {name}.")
            if page.find(link, "link"):
                break
    yield page.click(page.get(link, "link"))


def tab(page: LivePage) -> Moves:
    """The query names a tab."""
    yield page.click(page.get(page.match_query(r"Click on (.*)\.")[0], "tab"))


def expand_and_submit(page: LivePage) -> Moves:
    """The submit button is in a collapsed section."""
    yield page.click(page.all("tab")[0])
    yield page.submit()


def close_dialog(page: LivePage) -> Moves:
    """The query quotes a button of the dialog; "x" is the one that closes it."""
    label = page.quoted_texts[-1]
    yield page.click(page.get("Close" if label == "x" else label, "button"))


def nested_menu(page: LivePage) -> Moves:
    """The query gives a path through menus that open on hovering."""
    *parents, leaf = page.match_query(r"Select (.*)")[0].split(">")
    for name in parents:
        yield page.hover(page.get(name, "menu"))
    yield page.click(page.get(leaf, "menu"))


def icon_menu(page: LivePage) -> Moves:
    """The query quotes an entry of the menu, or shows its icon."""
    icons = [line.name.removesuffix(" icon") for line in page.lines if line.role == "heading"]
    label = _ICON_LABELS[icons[0]] if icons else page.quoted_texts[-1]
    yield page.click(page.get("Menu", "button"))
    if not page.find(label, "menu"):
        yield page.hover(page.get("Playback", "menu"))
    yield page.click(page.get(label, "menu"))


def widget(page: LivePage) -> Moves:
    """The query names a kind of control."""
    kind = page.quoted_texts[0]
    controls = page.all(_WIDGET_ROLES[kind])
    if kind in ("text", "textarea"):
        controls = [line for line in controls if (line.name == _TEXT_AREA) == (kind == "textarea")]
    yield page.click(controls[0])


def file_tree(page: LivePage) -> Moves:
    """The file may be in any folder: folders are opened in turn until it shows."""
    file, opened = page.quoted_texts[0], set[str]()
    while not page.find(file):
        folder = next((line for line in page.all("button") if line.name not in opened), None)
        if folder is None:
            raise OracleLost(f"no folder has {file}")
        opened.add(folder.name)
        yield page.click(folder, "Not here.")
    yield page.click(page.get(file))


SCRIPTS: dict[str, Script] = {
    "click-test": only_button,
    "click-test-2": named_button,
    "click-test-transfer": named_button,
    "click-button": quoted_button,
    "unicode-test": quoted_button,
    "click-button-sequence": button_sequence,
    "click-link": quoted_link,
    "click-tab": tab,
    "click-tab-2": link_behind_tabs,
    "click-tab-2-easy": link_behind_tabs,
    "click-tab-2-medium": link_behind_tabs,
    "click-tab-2-hard": link_behind_tabs,
    "click-collapsible": expand_and_submit,
    "click-collapsible-nodelay": expand_and_submit,
    "click-collapsible-2": link_behind_tabs,
    "click-collapsible-2-nodelay": link_behind_tabs,
    "click-dialog": close_dialog,
    "click-dialog-2": close_dialog,
    "click-menu": nested_menu,
    "click-menu-2": icon_menu,
    "click-widget": widget,
    "navigate-tree": file_tree,
}
