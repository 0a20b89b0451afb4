"""Reading .odt files: their paragraphs, and which text is highlighted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from odf import teletype
from odf.namespaces import FONS, STYLENS, TEXTNS
from odf.opendocument import load
from odf.text import P, Span

from envs.osworld.outside.published.error_policy import Unreadable

PLAIN = frozenset({"transparent", "#ffffff"})
_BLOCKS = {(TEXTNS, "p"), (TEXTNS, "h")}
_TEXT = {*_BLOCKS, (TEXTNS, "span"), (TEXTNS, "a")}


def open_odt(path: Path) -> Any:
    """An odfpy document. Raises Unreadable."""
    try:
        return load(str(path))
    except FileNotFoundError:
        raise
    except Exception as error:
        raise Unreadable(f"{path.name} is not an .odt file: {error}") from error


def texts(document: Any) -> list[str]:
    """Of the body's paragraphs and headings, in order, with their spaces and tabs."""
    return [
        str(teletype.extractText(element))
        for element in _below(document.text)
        if element.qname in _BLOCKS
    ]


def shallow_texts(document: Any) -> list[str]:
    """As OSWorld reads them: no headings, no text of links or of spans within spans, no repeated
    spaces, tabs or line breaks."""
    texts = []
    for paragraph in document.getElementsByType(P):
        parts = []
        for node in paragraph.childNodes:
            if node.nodeType == node.TEXT_NODE:
                parts.append(node.data)
            elif node.nodeType == node.ELEMENT_NODE and node.tagName == "text:span":
                parts += [
                    child.data for child in node.childNodes if child.nodeType == child.TEXT_NODE
                ]
        texts.append("".join(parts))
    return texts


def spans(document: Any) -> list[Any]:
    """All elements `text:span` of the document."""
    return list(document.getElementsByType(Span))


def highlights(document: Any) -> set[tuple[str, str]]:
    """(colour, text) of each piece of the body's text on a colour of its own, white left out."""
    styles = _styles(document)
    pieces = set()
    for element in _below(document.text):
        if element.qname not in _TEXT:
            continue
        color = _background(styles, element.attributes.get((TEXTNS, "style-name")))
        text = str(teletype.extractText(element))
        if color not in PLAIN and text.strip():
            pieces.add((color, text))
    return pieces


def _styles(document: Any) -> dict[str, Any]:
    return {
        style.attributes.get((STYLENS, "name")): style
        for part in (document.styles, document.automaticstyles)
        for style in part.childNodes
        if style.qname == (STYLENS, "style")
    }


def _background(styles: dict[str, Any], name: str | None) -> str:
    """Behind the letters, by the style or one that it is based on."""
    seen: set[str] = set()
    while name in styles and name not in seen:
        seen.add(name)
        for child in styles[name].childNodes:
            color = child.attributes.get((FONS, "background-color"))
            if child.qname == (STYLENS, "text-properties") and color is not None:
                return str(color).lower()
        name = styles[name].attributes.get((STYLENS, "parent-style-name"))
    return "transparent"


def _below(element: Any) -> Iterator[Any]:
    for child in element.childNodes:
        if child.nodeType == child.ELEMENT_NODE:
            yield child
            yield from _below(child)
