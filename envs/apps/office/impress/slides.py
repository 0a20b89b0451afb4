"""Impress tools on whole slides: read, add, copy, move, delete, show, notes, transitions."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.documents import path_of
from envs.apps.office.impress.shapes import kind_of_shape, page_at, shapes_of, slides, text_of
from envs.apps.office.lengths import to_cm
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import constant, property_value, struct

Layout = Literal[
    "title",
    "title_content",
    "title_two_content",
    "title_only",
    "centered_text",
    "four_content",
    "blank",
]
LAYOUTS: dict[str, int] = {
    "title": 0,
    "title_content": 1,
    "title_two_content": 3,
    "title_only": 19,
    "centered_text": 32,
    "four_content": 18,
    "blank": 20,
}
"""LibreOffice's number of each layout (AutoLayout)."""

Transition = Literal["none", "fade", "push", "wipe", "cover", "dissolve", "split", "random"]
TRANSITIONS: dict[str, tuple[str, str] | None] = {
    "none": None,
    "fade": ("FADE", "CROSSFADE"),
    "push": ("PUSHWIPE", "FROMRIGHT"),
    "wipe": ("BARWIPE", "LEFTTORIGHT"),
    "cover": ("SLIDEWIPE", "FROMLEFT"),
    "dissolve": ("DISSOLVE", "DEFAULT"),
    "split": ("BARNDOORWIPE", "VERTICAL"),
    "random": ("RANDOM", "DEFAULT"),
}
"""Constants of com.sun.star.animations.TransitionType and TransitionSubType."""

NAMED_LAYOUTS = {number: name for name, number in LAYOUTS.items()}

tools = ToolGroup("impress")


@tools.tool("impress.info")
def info(doc: Any) -> dict[str, Any]:
    """Lists the slides with layout and title; file, slide size, and the slide that is shown."""
    pages = slides(doc, None)
    return {
        "path": path_of(doc),
        "width_cm": to_cm(pages[0].Width),
        "height_cm": to_cm(pages[0].Height),
        "current_slide": doc.getCurrentController().getCurrentPage().Number,
        "slides": [
            {
                "slide": number,
                "layout": NAMED_LAYOUTS.get(page.Layout, f"other ({page.Layout})"),
                "title": next(
                    (
                        text_of(shape)
                        for shape in shapes_of(page)
                        if kind_of_shape(shape) == "title"
                    ),
                    "",
                ),
            }
            for number, page in enumerate(pages, start=1)
        ],
    }


@tools.tool("impress.read_slide")
def read_slide(doc: Any, slide: int) -> dict[str, Any]:
    """Lists a slide's shapes: number, kind, name, text, position and size in cm; and its notes."""
    page = page_at(doc, slide)
    descriptions = []
    for number, shape in enumerate(shapes_of(page), start=1):
        place, size = shape.Position, shape.Size
        descriptions.append(
            {
                "shape": number,
                "kind": kind_of_shape(shape),
                "name": shape.Name,
                "text": text_of(shape),
                "x_cm": to_cm(place.X),
                "y_cm": to_cm(place.Y),
                "width_cm": to_cm(size.Width),
                "height_cm": to_cm(size.Height),
            }
        )
    return {"shapes": descriptions, "notes": text_of(notes_shape(page))}


@tools.tool("impress.go_to_slide")
def go_to_slide(doc: Any, slide: int) -> None:
    """Shows a slide in the window."""
    doc.getCurrentController().setCurrentPage(page_at(doc, slide))


@tools.tool("impress.add_slide")
def add_slide(doc: Any, layout: Layout = "title_content", after: int | None = None) -> int:
    """Adds an empty slide after slide `after` (0: first), or at the end; gives its number."""
    pages = doc.getDrawPages()
    count = pages.getCount()
    at = count if after is None else after
    if at:
        page_at(doc, at)
    pages.insertNewByIndex(max(at, 1) - 1).Layout = LAYOUTS[layout]
    if at:
        return at + 1
    move_page(doc, 2, 1)
    return 1


@tools.tool("impress.set_layout")
def set_layout(doc: Any, slide: int, layout: Layout) -> None:
    """Changes the layout of a slide; placeholders with text stay."""
    page_at(doc, slide).Layout = LAYOUTS[layout]


@tools.tool("impress.delete_slide")
def delete_slide(doc: Any, slide: int) -> None:
    """Deletes a slide."""
    page = page_at(doc, slide)
    pages = doc.getDrawPages()
    if pages.getCount() == 1:
        raise OfficeError("bad_value", "a presentation needs at least one slide")
    pages.remove(page)


@tools.tool("impress.duplicate_slide")
def duplicate_slide(doc: Any, slide: int, to: int | None = None) -> int:
    """Copies a slide; the copy stands right after it, or becomes slide `to`. Gives its number."""
    source = page_at(doc, slide)
    if to is not None and not 1 <= to <= doc.getDrawPages().getCount() + 1:
        raise OfficeError("bad_value", f"the copy cannot be slide {to}")
    doc.duplicate(source)
    if to is None:
        return slide + 1
    move_page(doc, slide + 1, to)
    return to


@tools.tool("impress.move_slide")
def move_slide(doc: Any, slide: int, to: int) -> None:
    """Moves a slide, so that it becomes slide number `to`."""
    page_at(doc, slide)
    page_at(doc, to)
    move_page(doc, slide, to)


@tools.tool("impress.notes")
def set_notes(doc: Any, slide: int, text: str) -> None:
    """Sets the speaker's notes of a slide."""
    notes_shape(page_at(doc, slide)).setString(text)


@tools.tool("impress.transition")
def set_transition(
    doc: Any,
    transition: Transition,
    slide: int | None = None,
    duration_s: float = 1.0,
    advance_after_s: float | None = None,
) -> None:
    """Sets how a slide (or every slide) appears; and when the next comes, else on a click."""
    if duration_s <= 0:
        raise OfficeError("bad_value", f"duration_s must be more than 0, not {duration_s}")
    chosen = TRANSITIONS[transition]
    numbers = [0, 0]
    if chosen is not None:
        scopes = ("TransitionType", "TransitionSubType")
        numbers = [
            constant(f"animations.{scope}.{name}")
            for scope, name in zip(scopes, chosen, strict=True)
        ]
    for page in slides(doc, slide):
        page.TransitionType, page.TransitionSubtype = numbers
        page.TransitionDuration = duration_s
        page.Change = 0 if advance_after_s is None else 1
        if advance_after_s is not None:
            page.HighResDuration = advance_after_s


def notes_shape(page: Any) -> Any:
    """The shape that holds the speaker's notes. Raises OfficeError(not_found)."""
    for shape in shapes_of(page.getNotesPage()):
        if kind_of_shape(shape) == "notes":
            return shape
    raise OfficeError("not_found", "this slide's notes page has no place for notes")


def move_page(doc: Any, slide: int, to: int) -> None:
    """Moves a slide by the commands of the Slide menu, because UNO has no call for it."""
    controller = doc.getCurrentController()
    shown = controller.getCurrentPage()
    page = page_at(doc, slide)
    controller.setCurrentPage(page)
    command = "MovePageDown" if to > slide else "MovePageUp"
    for _ in range(abs(to - slide)):
        dispatch(controller, command)
    controller.setCurrentPage(shown)
    if page.Number != to:
        raise OfficeError("tool_failed", f"the slide stands at {page.Number}, not {to}")


def dispatch(controller: Any, command: str) -> None:
    """Runs a menu command and waits until it has ended."""
    address = f".uno:{command}"
    url = struct("util.URL", Complete=address, Main=address, Protocol=".uno:", Path=command)
    dispatcher = controller.getFrame().queryDispatch(url, "_self", 0)
    if dispatcher is None:
        raise OfficeError("tool_failed", f"the window does not know the command {command}")
    dispatcher.dispatch(url, (property_value("SynchronMode", True),))
