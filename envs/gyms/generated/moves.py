"""What oracles do on the pages of generated apps, whatever the family of markup.

Elements are known by what the schema says they are called. Each gives the page it ends on; what is
not in view is scrolled to. Raises OracleLost where something is missing.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from envs.contract.actions import Click, Done, Scroll, SetValue, Type
from envs.contract.observations import TreeLine
from envs.gyms.generated.schema import AppSchema, Entity, Look
from envs.gyms.generated.screens import JOINT
from envs.gyms.generated.site import STATE, make_title
from envs.gyms.kit.navigation import LocatedLine, Moves, find_line
from envs.gyms.kit.script import Script
from envs.gyms.server.gym import OracleLost, OracleMove
from envs.gyms.server.view import Page

MAX_SCROLLS, MAX_PAGES = 8, 8
MAX_THOUGHT = 100
PRESSED = ("link", "button", "tab", "menu", "option")
Texts = Mapping[str, str | bool]
"""What is entered, by the labels of fields; whether a box is to be ticked."""


def _find(page: Page, name: str, roles: Sequence[str]) -> TreeLine | None:
    for role in roles:
        if line := page.find(role, name):
            return line
    return None


def _find_any(page: Page, name: str, roles: Sequence[str]) -> TreeLine | None:
    """By its name, else by one of the names that disturbances give it."""
    exact = _find(page, name, roles)
    return exact or next((line for role in roles if (line := find_line(page, role, name))), None)


def _find_record_line(page: Page, name: str) -> TreeLine | None:
    """What opens a record: called like it, or like it and some of its values."""
    exact = _find(page, name, PRESSED)
    return exact or next(
        (line for role in PRESSED if (line := page.find_prefix(role, f"{name}{JOINT}"))), None
    )


def scroll_to(
    page: Page, name: str, roles: Sequence[str] = PRESSED
) -> Generator[OracleMove, Page, LocatedLine]:
    """Scrolls down until it is in view."""
    for _ in range(MAX_SCROLLS):
        if line := _find_any(page, name, roles):
            return page, line
        if not page.has_more_below:
            break
        page = yield OracleMove("look further down", Scroll(dy=1, unit="page"))
    raise OracleLost(f"no {' or '.join(roles)} {name!r} on page {page.title!r}")


def press(page: Page, thought: str, name: str, roles: Sequence[str] = PRESSED) -> Moves:
    """Clicks what is called so."""
    page, line = yield from scroll_to(page, name, roles)
    return (yield page.click_on(thought, line))


def open_list(page: Page, look: Look, entity: Entity) -> Moves:
    """To the list of an entity, by whatever navigation the app has."""
    title, thought = make_title(entity), f"the {entity.plural} are there"
    for _ in range(MAX_SCROLLS):
        if "above" not in page.tree.scroll or _find(page, title, PRESSED):
            break
        page = yield OracleMove("back to the top", Scroll(dy=-1, unit="page"))
    if _find(page, title, PRESSED) is None:
        if menu := page.find("button", look.words["menu"]):
            page = yield page.click_on("open the menu", menu)
        elif home := _find(page, look.words["home"], PRESSED):
            page = yield page.click_on("by way of the front page", home)
    return (yield from press(page, thought, title))


def set_filter(page: Page, look: Look, entity: Entity, key: str, option: str) -> Moves:
    """Chooses in a drop-down of the list, and sends it where that takes a button."""
    label = entity.state if key == STATE else entity.field(key).label
    page, line = yield from scroll_to(page, label, ("select",))
    if line.value == option:
        return page
    page = yield from choose(page, look, line, option, f"only {label} {option}")
    if not look.filters_at_once:
        word = look.words["search" if entity.has_search else "apply"]
        page = yield from press(page, "show these", word, ("button",))
    return page


def choose(page: Page, look: Look, line: TreeLine, option: str, thought: str) -> Moves:
    """Chooses in a drop-down. That of a component library opens a list, in which it is clicked; a
    box filters its list by what is typed."""
    target = page.target(line)
    if look.family != "material":
        return (yield OracleMove(thought, SetValue(target=target, value=option)))
    if line.role == "box":
        page = yield OracleMove(thought, Type(target=target, text=option, clear=True))
    else:
        page = yield OracleMove(thought, Click(target=target))
    return (yield from press(page, f"that is {option}"[:80], option, ("option",)))


def search_list(page: Page, look: Look, text: str) -> Moves:
    """Types into the list's search box."""
    page, line = yield from scroll_to(page, look.words["query"], ("box",))
    target = page.target(line)
    return (
        yield OracleMove(
            f"look for {text}", Type(target=target, text=text, clear=True, submit=True)
        )
    )


def open_row(page: Page, look: Look, name: str, thought: str = "") -> Moves:
    """The record of this name in the list, on whichever page of it."""
    for _ in range(MAX_PAGES * MAX_SCROLLS):
        if line := _find_record_line(page, name):
            return (yield page.click_on(thought or f"open {name}", line))
        turned = _turn(page, look)
        if turned is None:
            break
        page = yield turned
    raise OracleLost(f"no {name!r} in the list {page.title!r}")


def _turn(page: Page, look: Look) -> OracleMove | None:
    """Further down, else to the next page; None at the end of the list."""
    if page.has_more_below:
        return OracleMove("look further down", Scroll(dy=1, unit="page"))
    line = _find(page, look.words["next_page"], ("link", "button"))
    if line and "disabled" not in line.states:
        return page.click_on("not all are on this page", line)
    return None


def read_rows(page: Page, look: Look, names: Sequence[str]) -> Moves:
    """Looks at the list until all of these were in view."""
    missing = set(names)
    for _ in range(MAX_PAGES * MAX_SCROLLS):
        missing -= {line.name.partition(JOINT)[0] for line in page.lines}
        if not missing:
            return page
        turned = _turn(page, look)
        if turned is None:
            break
        page = yield turned
    raise OracleLost(f"not in the list {page.title!r}: {sorted(missing)}")


def find_record(page: Page, schema: AppSchema, entity: Entity, name: str) -> Moves:
    """To the page of the record of this name."""
    page = yield from open_list(page, schema.look, entity)
    if entity.has_search:
        page = yield from search_list(page, schema.look, name)
    return (yield from open_row(page, schema.look, name))


def narrow_list(
    page: Page, schema: AppSchema, entity: Entity, conditions: Mapping[str, str]
) -> Moves:
    """To the entity's list, with as many of the conditions (keys and texts) applied as it can."""
    look = schema.look
    page = yield from open_list(page, look, entity)
    rest = dict(conditions)
    for key in [key for key in conditions if key in entity.filters]:
        page = yield from set_filter(page, look, entity, key, rest.pop(key))
    for key, text in rest.items():
        if entity.has_search and entity.field(key).kind == "reference":
            return (yield from search_list(page, look, text))
    return page


def check_shown(page: Page, text: str) -> Moves:
    """Looks at a record's page until the text is in view."""
    for _ in range(MAX_SCROLLS):
        if any(text in line.name or text in (line.value or "") for line in page.lines):
            return page
        if not page.has_more_below:
            break
        page = yield OracleMove("look further down", Scroll(dy=1, unit="page"))
    raise OracleLost(f"{text!r} does not stand on page {page.title!r}")


def give_answer(thought: str, text: str) -> Script:
    """The end of a script: the answer, with what it was made from as the thought."""
    yield OracleMove(thought[:MAX_THOUGHT], Done(answer=text))
    return text


def fill_form(page: Page, look: Look, entity: Entity, texts: Texts, submit: str) -> Moves:
    """Enters texts and sends the form; goes on to its next part where it has several."""
    labels = [entity.name_label, *(field.label for field in entity.fields)]
    left = [label for label in labels if label in texts]
    chosen = {field.label for field in entity.fields if field.kind in ("choice", "reference")}
    for _ in range(MAX_PAGES):
        while left:
            page, line = yield from _look_for_field(page, left[0], texts[left[0]])
            if line is None:
                break
            label, text = left[0], texts[left[0]]
            if label in chosen and line.role != "radio":
                if line.value != text:
                    page = yield from choose(page, look, line, str(text), f"{label}: {text}"[:80])
            else:
                page = yield from _enter(page, line, label, text)
            left.pop(0)
        if not _find_any(page, look.words["continue"], ("button",)):
            break
        page = yield from press(page, "on to the next part", look.words["continue"], ("button",))
    if left:
        raise OracleLost(f"no field {left[0]!r} on page {page.title!r}")
    return (yield from press(page, "that is all of it", submit, ("button",)))


def _look_for_field(
    page: Page, label: str, text: str | bool
) -> Generator[OracleMove, Page, tuple[Page, TreeLine | None]]:
    """The control of a field: a box, a drop-down, a check box, or the radio button of the text;
    None where the page has none."""
    for _ in range(MAX_SCROLLS):
        kinds = (("check", label),) if isinstance(text, bool) else _controls_of(label, text)
        for role, name in kinds:
            if line := page.find(role, name):
                return page, line
        if not page.has_more_below:
            break
        page = yield OracleMove("look further down", Scroll(dy=1, unit="page"))
    return page, None


def _controls_of(label: str, text: str) -> tuple[tuple[str, str], ...]:
    return (("box", label), ("select", label), ("radio", text))


def _enter(page: Page, line: TreeLine, label: str, text: str | bool) -> Moves:
    target = page.target(line)
    if line.role in ("check", "radio"):
        if ("checked" in line.states) != (text is not False):
            thought = f"{label}: {text}" if line.role == "radio" else f"tick {label}"
            page = yield OracleMove(thought, Click(target=target))
    elif line.value != text:
        action = Type(target=target, text=str(text), clear=True)
        page = yield OracleMove(f"{label}: {text}"[:80], action)
    return page


def edit_record(page: Page, schema: AppSchema, entity: Entity, texts: Texts) -> Moves:
    """From the record's page: opens its form where there is one to open, fills and saves it."""
    words = schema.look.words
    if entity.form != "inline":
        page = yield from press(page, "change it", words["edit"])
    return (yield from fill_form(page, schema.look, entity, texts, words["save"]))


def create_record(page: Page, schema: AppSchema, entity: Entity, texts: Texts) -> Moves:
    """From the entity's list: opens the form for a new record, fills and sends it."""
    words = schema.look.words
    page = yield from press(page, "a new one", f"{words['create']} {entity.singular}")
    return (yield from fill_form(page, schema.look, entity, texts, words["save_new"]))


def take_step(page: Page, schema: AppSchema, entity: Entity, verb: str) -> Moves:
    """From the record's page: presses the step's button."""
    if entity.steps_in_menu:
        page = yield from press(page, "what can be done", schema.look.words["more"], ("button",))
    return (yield from press(page, f"{verb} it", verb, ("button", "menu")))


def delete_record(page: Page, schema: AppSchema, entity: Entity) -> Moves:
    """From the record's page: asks to delete it, and says that this is meant."""
    words = schema.look.words
    if entity.steps_in_menu:
        page = yield from press(page, "what can be done", words["more"], ("button",))
    page = yield from press(page, "it is to go", words["delete"])
    return (yield from press(page, "yes, I am sure", words["yes"], ("button",)))


def take_step_of_ticked(
    page: Page, schema: AppSchema, entity: Entity, names: Sequence[str], verb: str
) -> Moves:
    """In the open list: ticks these records and takes one step with all of them."""
    look = schema.look
    for name in names:
        page, line = yield from scroll_to(page, f"Select {name}", ("check",))
        if "checked" not in line.states:
            page = yield OracleMove(f"{name} is one", Click(target=page.target(line)))
    page, line = yield from scroll_to(page, look.words["action"], ("select",))
    if line.value != verb:
        page = yield from choose(page, look, line, verb, f"{verb} them")
    return (yield from press(page, "all at once", look.words["bulk"], ("button",)))
