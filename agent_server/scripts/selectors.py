"""How the element of a step is found again: by role and name, attributes, text nearby, its place.

Guarantees: a selector names one element or none, never the first of several; each was tried on the
page that it was made from and found the element there. An element that is called by a value of the
task, or by a number, is found by its name alone: what stands in its place on another day is
something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from agent_server.scripts.model import Beginning, ByAttributes, Named, Nearby, Placed, Selector
from agent_server.scripts.texts import fill, insert, is_steady, parameters_in, steady_beginning
from envs.contract.actions import ElementTraits
from envs.contract.observations import TreeLine

NEAR_LINES = 4
"""So many lines before an element may name it."""
PLACED_ROLES = frozenset({"button", "box", "select", "check", "radio"})
"""Links are mostly of records, which change places."""


def find_line(
    lines: Sequence[TreeLine], selector: Selector, values: Mapping[str, str]
) -> TreeLine | None:
    """The line that it names; None where there is none, or are several, or where only the page's
    own attributes could tell."""
    match selector:
        case Named(role=role, name=name):
            full_name = fill(name, values)
            return _only(line for line in _elements(lines, role) if line.name == full_name)
        case Beginning(role=role, begins=begins):
            beginning = fill(begins, values)
            return _only(x for x in _elements(lines, role) if x.name.startswith(beginning))
        case Nearby(role=role, after=after):
            name = fill(after, values)
            place = next((i for i, line in enumerate(lines) if line.name == name), len(lines))
            near = lines[place + 1 : place + 1 + NEAR_LINES]
            return next(_elements(near, role), None)
        case Placed(role=role, nth=nth, of=of):
            elements = list(_elements(lines, role))
            return elements[nth - 1] if len(elements) == of else None
        case ByAttributes():
            return None


def make_selectors(
    lines: Sequence[TreeLine],
    line: TreeLine,
    traits: ElementTraits | None,
    values: Mapping[str, str],
) -> tuple[Selector, ...]:
    """Ways to find the element of a line again, the best one first; none where it has nothing of
    its own. `values`: the parameters' values on this page."""
    candidates = _candidates(lines, line, traits, values)
    return tuple(
        selector
        for selector in candidates
        if isinstance(selector, ByAttributes) or find_line(lines, selector, values) is line
    )


def _candidates(
    lines: Sequence[TreeLine],
    line: TreeLine,
    traits: ElementTraits | None,
    values: Mapping[str, str],
) -> Iterator[Selector]:
    name = insert(line.name, values)
    if name:
        yield Named(role=line.role, name=name)
    beginning = steady_beginning(name)
    if beginning and beginning != name:
        yield Beginning(role=line.role, begins=beginning)
    if not is_steady(name) or parameters_in(name):
        return
    if traits is not None and (css := _make_css(traits, values)) is not None:
        yield ByAttributes(css=css)
    place = next(i for i, other in enumerate(lines) if other is line)
    for other in reversed(lines[max(0, place - NEAR_LINES) : place]):
        text = insert(other.name, values)
        if text and is_steady(text):
            yield Nearby(role=line.role, after=text)
            break
    if line.role in PLACED_ROLES:
        elements = list(_elements(lines, line.role))
        nth = next(i for i, other in enumerate(elements) if other is line) + 1
        yield Placed(role=line.role, nth=nth, of=len(elements))


def _make_css(traits: ElementTraits, values: Mapping[str, str]) -> str | None:
    """By what its page's author called it, if anything; numbers in it are records' and left out."""
    tag = traits.tag if traits.tag.isalnum() else "*"
    for attribute, value in (("data-testid", traits.test_id), ("id", traits.id)):
        if value and is_steady(value):
            return f'{tag}[{attribute}="{quote_css(value)}"]'
    form = _address_css("action", traits.form, values)
    within = f"form{form} " if form else ""
    if traits.name and is_steady(traits.name + traits.value):
        sent = f'[value="{quote_css(traits.value)}"]' if traits.value else ""
        if traits.tag != "button" or sent:
            return f'{within}{tag}[name="{quote_css(traits.name)}"]{sent}'
    if href := _address_css("href", traits.href, values):
        return f"{tag}{href}"
    return make_sender(traits, values) if is_sender(traits) else None


def make_sender(traits: ElementTraits, values: Mapping[str, str]) -> str | None:
    """CSS of the button that sends the element's form; None where nothing tells the form from
    others."""
    form = _address_css("action", traits.form, values)
    if traits.tag in ("select", "input", "textarea") and traits.name and is_steady(traits.name):
        form += f':has({traits.tag}[name="{quote_css(traits.name)}"])'
    return f'form{form} button:not([type="button"])' if form else None


def is_sender(traits: ElementTraits) -> bool:
    """Whether a click on it sends a form."""
    kind = traits.type.lower()
    if traits.tag == "button":
        return bool(traits.form) and kind not in ("button", "reset")
    return traits.tag == "input" and kind in ("submit", "image")


def _address_css(attribute: str, address: str, values: Mapping[str, str]) -> str:
    """An attribute with an address, by its beginning and its end around the first part that is a
    number; empty where nothing is left of it."""
    if not address or urlsplit(address).scheme not in ("", "http", "https"):
        return ""
    text = insert(address, values).partition("?")[0]
    if text == "/" or not text or "?" in address:
        return ""
    if is_steady(text):
        return f'[{attribute}="{quote_css(text)}"]'
    parts = text.split("/")
    numbers = [i for i, part in enumerate(parts) if not is_steady(part)]
    first, last = "/".join(parts[: numbers[0]]), "/".join(parts[numbers[-1] + 1 :])
    if not last:
        return ""
    return f'[{attribute}^="{quote_css(first)}/"][{attribute}$="/{quote_css(last)}"]'


def quote_css(text: str) -> str:
    """Safe inside the double quotes of a CSS selector."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ")


def _elements(lines: Sequence[TreeLine], role: str) -> Iterator[TreeLine]:
    return (line for line in lines if line.role == role and line.ref is not None)


def _only(lines: Iterator[TreeLine]) -> TreeLine | None:
    first = next(lines, None)
    return first if next(lines, None) is None else None
