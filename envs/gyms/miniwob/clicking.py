"""Oracles of the tasks that are solved by pointing and clicking."""

from __future__ import annotations

import re
from collections.abc import Callable

from envs.actions import SetValue, Wait
from envs.gyms.gym import OracleLost
from envs.gyms.miniwob.reading import Moves, Script, Seen, does, press

ICONS = {
    "disk": "Save", "seek-start": "Prev", "stop": "Stop", "play": "Play", "seek-end": "Next",
    "zoomin": "Zoom In", "zoomout": "Zoom Out",
}  # fmt: skip
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
WIDGETS = {
    "radio": "radio", "checkbox": "check", "button": "button", "text": "box", "textarea": "box",
}  # fmt: skip
AREA = "text area"


def only_button(see: Seen) -> Moves:
    yield see.click(see.all("button")[0])


def button_named(pattern: str) -> Script:
    """The button that the query names."""

    def script(see: Seen) -> Moves:
        yield see.click(see.one(see.asked(pattern)[0], "button"))

    return script


def quoted_button(see: Seen) -> Moves:
    yield see.click(see.one(see.quoted[0], "button"))


def one_then_two(see: Seen) -> Moves:
    yield see.click(see.one("ONE", "button"))
    yield see.click(see.one("TWO", "button"))


def link(see: Seen) -> Moves:
    yield see.click(see.one(see.quoted[0], "link"))


def link_behind_tabs(see: Seen) -> Moves:
    wanted = see.quoted[-1]
    if not see.has(wanted, "link"):
        for name in [line.name for line in see.all("tab")]:
            yield see.click(see.one(name, "tab"), f"{wanted} is not here: I open {name}.")
            if see.has(wanted, "link"):
                break
    yield see.click(see.one(wanted, "link"))


def tab(see: Seen) -> Moves:
    yield see.click(see.one(see.asked(r"Click on (.*)\.")[0], "tab"))


def expand_and_submit(see: Seen) -> Moves:
    yield see.click(see.all("tab")[0], "I open the section.")
    yield see.submit()


def close_dialog(see: Seen) -> Moves:
    wanted = see.quoted[-1]
    yield see.click(see.one("Close" if wanted == "x" else wanted, "button"))


def check_boxes(see: Seen) -> Moves:
    names = see.asked(r"Select (.*) and click")[0]
    for name in [] if names == "nothing" else names.split(", "):
        yield see.click(see.one(name, "check"), f"{name} is asked for: I tick it.")
    yield see.submit()


def radio(see: Seen) -> Moves:
    yield see.click(see.one(see.asked(r"Select (.*) and click")[0], "radio"))
    yield see.submit()


def menu(see: Seen) -> Moves:
    *parents, leaf = see.asked(r"Select (.*)")[0].split(">")
    for name in parents:
        yield see.hover(see.one(name, "menu"))
    yield see.click(see.one(leaf, "menu"))


def icon_menu(see: Seen) -> Moves:
    icons = [line.name.removesuffix(" icon") for line in see.lines if line.role == "heading"]
    wanted = ICONS[icons[0]] if icons else see.quoted[-1]
    yield see.click(see.one("Menu", "button"))
    if not see.has(wanted, "menu"):
        yield see.hover(see.one("Playback", "menu"))
    yield see.click(see.one(wanted, "menu"))


def widget(see: Seen) -> Moves:
    kind = see.quoted[0]
    fitting = see.all(WIDGETS[kind])
    if kind in ("text", "textarea"):
        fitting = [line for line in fitting if (line.name == AREA) == (kind == "textarea")]
    yield see.click(fitting[0], f"This is a {kind}: I click on it.")


def pick_from_list(see: Seen) -> Moves:
    """Also several entries of a list that takes them."""
    for name in see.asked(r"Select (.*) from the")[0].split(", "):
        yield see.set(see.all("select")[0], name)
    yield see.submit()


def date_from_calendar(see: Seen) -> Moves:
    month, day, year = map(int, see.asked(r"(\d+)/(\d+)/(\d+)"))
    yield see.click(see.box(), "I open the calendar.")
    yield from to_day(see, year, month, day)
    yield see.submit()


def to_day(see: Seen, year: int, month: int, day: int) -> Moves:
    """From an open calendar; it shows one month at a time."""
    wanted = year * 12 + month - 1
    for _ in range(30):
        shown = shown_month(see)
        if shown == wanted:
            yield see.click(see.one(str(day), "link"))
            return
        yield see.click(see.one("Prev" if shown > wanted else "Next"))
    raise OracleLost(f"the calendar does not come to {month}/{year}")


def shown_month(see: Seen) -> int:
    for text in see.texts:
        words = text.split()
        if len(words) >= 2 and words[0] in MONTHS and words[1].isdigit():
            return int(words[1]) * 12 + MONTHS.index(words[0])
    raise OracleLost("no calendar is open")


def color(see: Seen) -> Moves:
    asked = [line.name.split()[0] for line in see.lines if line.role == "heading"]
    wanted = asked[0] if asked else see.asked(r"the (\w+) colored")[0]
    yield see.click(see.one(f"{wanted} box", "button"))


def tree(see: Seen) -> Moves:
    wanted, opened = see.quoted[0], set[str]()
    while not see.has(wanted):
        folder = next((f for f in see.all("button") if f.name not in opened), None)
        if folder is None:
            raise OracleLost(f"no folder has {wanted}")
        opened.add(folder.name)
        yield see.click(folder, f"{wanted} is not here: I open {folder.name}.")
    yield see.click(see.one(wanted))


def greatest_card(see: Seen) -> Moves:
    found: list[int] = []
    for number in range(len(see.all("button")) - 1):
        yield see.click(see.all("button")[number], "I turn this card over.")
        shown = [line.name for line in see.all("button") if line.name.startswith("card ")]
        found.append(int(shown[0].split()[1]))
    best = found.index(max(found))
    yield see.click(see.all("button")[best], f"{max(found)} is the greatest.")
    yield see.submit()


def number_generator(see: Seen) -> Moves:
    suits = _suits(see.query)
    for _ in range(60):
        yield see.click(see.one("Generate"))
        if suits(int(see.texts[0])):
            break
    yield see.submit()


def _suits(query: str) -> Callable[[int], bool]:
    found = re.search(r"(less|greater) than (\d+)", query)
    if found is None:
        return (lambda n: n % 2 == 1) if "odd" in query else (lambda n: n % 2 == 0)
    bound = int(found[2])
    return (lambda n: n < bound) if found[1] == "less" else (lambda n: n > bound)


def odd_or_even(see: Seen) -> Moves:
    for number, text in enumerate(see.texts[:3]):
        odd = int(text) % 2 == 1
        line = see.all("button")[2 * number + (0 if odd else 1)]
        yield see.click(line, f"{text} is {line.name.lower()}.")
    yield see.submit()


def ticket(see: Seen) -> Moves:
    costs = [line for line in see.all("button") if line.name.startswith("Book for")]
    lasting = [text for text in see.texts if re.fullmatch(r"(\d+h ?)?(\d+m)?", text)]
    minutes = [
        60 * int((re.search(r"(\d+)h", text) or [0, 0])[1])
        + int((re.search(r"(\d+)m", text) or [0, 0])[1])
        for text in lasting
    ]
    prices = [int(line.name.split("$")[1]) for line in costs]
    if re.search("cost|price|expensive|cheap", see.query):
        values, most = prices, "most" in see.query
    else:
        values, most = minutes, "longest" in see.query
    best = values.index(max(values) if most else min(values))
    yield see.click(costs[best], "This one fits best: I book it.")


def stock(see: Seen) -> Moves:
    limit = float(see.asked(r"less than \$([\d.]+\d)")[0])
    for _ in range(100):
        price = next((t for t in see.texts if "price: $" in t), "")
        if price and float(price.split("$")[1]) <= limit:
            yield see.click(see.one("Buy"), "The price is low enough: I buy.")
            return
        yield does("The price is too high: I wait.", Wait(ms=100))


def spinner(see: Seen) -> Moves:
    wanted = int(see.asked(r"Select (-?\d+)")[0])
    for _ in range(abs(wanted)):
        yield see.click(see.one("Up" if wanted > 0 else "Down"))
    yield see.submit()


def sliders(see: Seen) -> Moves:
    for number, value in enumerate(re.findall(r"-?\d+", see.query)):
        yield from slide(see, number, int(value))
    yield see.submit()


def slide(see: Seen, number: int, value: int) -> Moves:
    handles = [line for line in see.all("button") if line.name == "Slider handle"]
    yield see.click(handles[number], "I take hold of the slider.")
    for _ in range(4):
        far = value - int([text for text in see.texts if re.fullmatch(r"-?\d+", text)][number])
        if not far:
            return
        key = "right" if far > 0 else "left"
        yield press(key, repeat=min(100, abs(far)), why=f"I move it to {value}.")


def slider_and_box(see: Seen) -> Moves:
    value, nth = see.asked(r"Select (-?\d+) with the slider, click the (\d)")
    yield from slide(see, 0, int(value))
    yield see.click(see.all("check")[int(nth) - 1])
    yield see.submit()


def choice_and_button(see: Seen) -> Moves:
    wanted = see.asked(r"Choose (.*) from the")[0]
    yield see.click(see.all("button")[0], "I open the list.")
    yield see.click(see.one(wanted, "option"))
    yield see.click(see.one(see.quoted[0], "button"))


def scroll_and_submit(see: Seen) -> Moves:
    yield see.scroll(see.box(), up="to the top" in see.query)
    yield see.submit()


def color_field(see: Seen) -> Moves:
    value = COLORS[see.asked(r"Select (\w+) with")[0]]
    yield does(
        f"I enter the color as {value}.", SetValue(target=see.target(see.box()), value=value)
    )
    yield see.submit()


COLORS = {
    "red": "FF0000", "green": "008000", "blue": "0000FF", "lime": "00FF00", "yellow": "FFFF00",
    "magenta": "FF00FF", "cyan": "00FFFF", "black": "000000", "white": "FFFFFF", "gray": "808080",
    "grey": "808080", "orange": "FFA500", "purple": "800080", "olive": "808000", "pink": "FFC0CB",
    "aqua": "00FFFF", "maroon": "800000", "navy": "000080", "silver": "C0C0C0", "teal": "008080",
    "gold": "FFD700",
}  # fmt: skip
NAMED = r"[Cc]lick button (\w+)"
CLICKING: dict[str, Script] = {
    "click-test": only_button, "click-test-2": button_named(NAMED),
    "click-test-transfer": button_named(NAMED), "click-button": quoted_button,
    "unicode-test": quoted_button, "click-button-sequence": one_then_two, "click-link": link,
    "click-tab": tab, "click-tab-2": link_behind_tabs, "click-tab-2-easy": link_behind_tabs,
    "click-tab-2-medium": link_behind_tabs, "click-tab-2-hard": link_behind_tabs,
    "click-collapsible": expand_and_submit, "click-collapsible-nodelay": expand_and_submit,
    "click-collapsible-2": link_behind_tabs, "click-collapsible-2-nodelay": link_behind_tabs,
    "click-dialog": close_dialog, "click-dialog-2": close_dialog, "click-checkboxes": check_boxes,
    "click-checkboxes-large": check_boxes, "click-checkboxes-transfer": check_boxes,
    "click-option": radio, "click-menu": menu, "click-menu-2": icon_menu, "click-widget": widget,
    "click-scroll-list": pick_from_list, "choose-list": pick_from_list,
    "choose-date": date_from_calendar, "choose-date-easy": date_from_calendar,
    "choose-date-medium": date_from_calendar, "choose-date-nodelay": date_from_calendar,
    "click-color": color, "navigate-tree": tree, "find-greatest": greatest_card,
    "generate-number": number_generator, "odd-or-even": odd_or_even, "buy-ticket": ticket,
    "stock-market": stock, "use-spinner": spinner, "use-slider": sliders, "use-slider-2": sliders,
    "form-sequence": slider_and_box, "form-sequence-3": choice_and_button,
    "scroll-text-2": scroll_and_submit, "use-colorwheel": color_field,
}  # fmt: skip
