"""Getter of texts on the page in front, found by class, by XPath or by label.

Guarantees: the page is read as it is and not reloaded, by fixed functions whose values travel as
JSON; what is not on the page is an empty text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.inside.getters.chromium_tabs import active_tab, in_tab

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

_TEXTS = "s => Array.from(document.querySelectorAll(s), e => e.textContent.trim())"
_OWN_TEXTS = """s => Array.from(document.querySelector(s)?.childNodes ?? [])
    .filter(n => n.nodeType === Node.TEXT_NODE).map(n => n.textContent.trim()).filter(Boolean)"""
_CHILD_TEXTS = """(s, child) => Array.from(document.querySelectorAll(s))
    .map(e => e.querySelector(child)).filter(Boolean).map(e => e.textContent.trim())"""
_XPATH = """path => document.evaluate(
    path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue"""
_TEXT_AT = f"path => ({_XPATH})(path)?.textContent?.trim() ?? ''"
_VALUE_AT = f"path => ({_XPATH})(path)?.value?.trim() ?? ''"
_LABELLED = """label => {
    const plain = e => e.textContent.replace(/\\s+/g, ' ').trim()
    const has = e => plain(e).toLowerCase().includes(label.toLowerCase())
    const all = Array.from(document.body.querySelectorAll(':not(script):not(style)'))
    const smallest = all.find(e => has(e) && !Array.from(e.children).some(has))
    return smallest ? plain(smallest) : ''
}"""
OTHERS = "is_other_exist"
Read = Callable[..., Awaitable[Any]]
"""What a fixed function gives on the page, for these values."""


async def active_tab_html_parse(
    desktop: Desktop, ending: Ending, parameters: Parameters
) -> dict[str, Any]:
    """Texts of the page in front by the names that the task gives them; `category` is the way to
    find them: "class", "label", "xpath", "input" or "class&url". Raises FileNotFoundError when no
    page is open or it does not answer, ValueError for another category."""
    kind = parameters["category"]
    if kind not in _CATEGORIES:
        raise ValueError(f"there is no category {kind!r}")
    browser, page = await active_tab(desktop)

    async def read(function: str, *values: Any) -> Any:
        return await in_tab(browser, page["id"], function, *values)

    return await _CATEGORIES[kind](read, parameters, page["url"])


async def _by_class(read: Read, parameters: Parameters, url: str) -> dict[str, Any]:
    """`class_singleObject`: {class: name} of the first element; `class_multiObject`: {class:
    {place: name}}; `..._child`: the element's own texts, not those of elements in it;
    `..._only_child`: the headings (h3) in the elements; `..._search_exist`: whether some element
    has just this text."""
    texts_by_name: dict[str, Any] = {}
    for name, places in parameters.get("class_multiObject", {}).items():
        texts_by_name |= _at_places(await read(_TEXTS, f".{name}"), places)
    for name, places in parameters.get("class_multiObject_child", {}).items():
        texts_by_name |= _at_places(await read(_OWN_TEXTS, f".{name}"), places)
    for name, places in parameters.get("class_multiObject_only_child", {}).items():
        texts_by_name |= _at_places(await read(_CHILD_TEXTS, f".{name}", "h3"), places)
    for name, candidates in parameters.get("class_multiObject_search_exist", {}).items():
        texts = await read(_TEXTS, f".{name}")
        texts_by_name |= {text: text in texts for text in candidates if text != OTHERS}
        if OTHERS in candidates:
            texts_by_name[OTHERS] = texts_by_name.get(OTHERS, False) or not set(texts) <= set(
                candidates
            )
    for name, key in parameters.get("class_singleObject", {}).items():
        texts_by_name |= _at_places(await read(_TEXTS, f".{name}"), {"0": key})
    return texts_by_name


async def _by_label(read: Read, parameters: Parameters, url: str) -> dict[str, Any]:
    """`labelObject`: {text: name}; the whole text of the innermost element that has it."""
    labels = parameters.get("labelObject", {})
    return {name: await read(_LABELLED, label) for label, name in labels.items()}


async def _by_xpath(read: Read, parameters: Parameters, url: str) -> dict[str, Any]:
    """`xpathObject`: {path: name}, the first element's text."""
    paths = parameters.get("xpathObject", {})
    return {name: await read(_TEXT_AT, path) for path, name in paths.items()}


async def _by_input(read: Read, parameters: Parameters, url: str) -> dict[str, Any]:
    """`inputObject`: {path: name}, the value of the first element."""
    paths = parameters.get("inputObject", {})
    return {name: await read(_VALUE_AT, path) for path, name in paths.items()}


async def _by_class_and_url(read: Read, parameters: Parameters, url: str) -> dict[str, Any]:
    """Whether each wanted text is that of an element, or in the address; names in lower case.

    `class_multiObject`: {class: texts}; `class_multiObject_li`: of entries of a list in it;
    `url_include_expected`: words of the address; `..._multichoice`: {word: name}, of which one word
    for a name is enough. `is_other_exist`: whether an element has a text that is part of none."""
    presence: dict[str, Any] = {}
    lists = [
        (await read(_TEXTS, f".{name}"), texts)
        for name, texts in parameters.get("class_multiObject", {}).items()
    ] + [
        (await read(_CHILD_TEXTS, f".{name} li.catAllProducts", "span"), texts)
        for name, texts in parameters.get("class_multiObject_li", {}).items()
    ]
    for texts, expected_texts in lists:
        shown = [text.lower() for text in texts]
        known = [text.lower() for text in expected_texts]
        presence |= {text: True for text in known if text in shown}
        others = any(all(text not in known_text for known_text in known) for text in shown)
        presence[OTHERS] = presence.get(OTHERS, False) or others
    words = {word: word for word in parameters.get("url_include_expected", ())}
    for word, name in [
        *words.items(),
        *parameters.get("url_include_expected_multichoice", {}).items(),
    ]:
        presence[name.lower()] = presence.get(name.lower(), False) or _within(word, url)
    return presence


_CATEGORIES: Mapping[str, Callable[[Read, Mapping[str, Any], str], Awaitable[dict[str, Any]]]] = {
    "class": _by_class,
    "label": _by_label,
    "xpath": _by_xpath,
    "input": _by_input,
    "class&url": _by_class_and_url,
}


def _at_places(texts: Sequence[str], places: Mapping[str, str]) -> dict[str, str]:
    """Texts by their indices; empty where there are fewer."""
    return {
        name: texts[int(place)] if int(place) < len(texts) else "" for place, name in places.items()
    }


def _within(word: str, url: str) -> bool:
    plain = word.lower()
    return plain in url.lower() or plain in unquote_plus(url).lower()
