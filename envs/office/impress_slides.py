"""Impress tools on slides as a whole: see, add, copy, move, delete, go to, notes, transitions."""

from __future__ import annotations

from typing import Any, Literal

from envs.office.characters import centimetres
from envs.office.documents import path_of, property_value
from envs.office.impress_shapes import (
    kind_of_shape,
    page_at,
    shapes_of,
    slides,
    text_of,
)
from envs.office.registry import OfficeError, office_tool

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
"""LibreOffice's numbers of the layouts (AutoLayout)."""

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


@office_tool("impress.info", "impress")
def info(doc: Any) -> dict[str, Any]:
    """Lists the slides with layout and title; file, slide size, and the slide that is shown."""
    pages = slides(doc, None)
    return {
        "path": path_of(doc),
        "width_cm": centimetres(pages[0].Width),
        "height_cm": centimetres(pages[0].Height),
        "current_slide": doc.getCurrentController().getCurrentPage().Number,
        "slides": [
            {
                "slide": number,
                "layout": NAMED_LAYOUTS.get(page.Layout, f"other ({page.Layout})"),
                "title": next(
                    (text_of(one) for one in shapes_of(page) if kind_of_shape(one) == "title"), ""
                ),
            }
            for number, page in enumerate(pages, start=1)
        ],
    }


@office_tool("impress.read_slide", "impress")
def read_slide(doc: Any, slide: int) -> dict[str, Any]:
    """Lists a slide's shapes: number, kind, name, text, position and size in cm; and its notes."""
    page = page_at(doc, slide)
    shown = []
    for number, shape in enumerate(shapes_of(page), start=1):
        place, size = shape.Position, shape.Size
        shown.append(
            {
                "shape": number,
                "kind": kind_of_shape(shape),
                "name": shape.Name,
                "text": text_of(shape),
                "x_cm": centimetres(place.X),
                "y_cm": centimetres(place.Y),
                "width_cm": centimetres(size.Width),
                "height_cm": centimetres(size.Height),
            }
        )
    return {"shapes": shown, "notes": text_of(notes_shape(page))}


@office_tool("impress.go_to_slide", "impress")
def go_to_slide(doc: Any, slide: int) -> None:
    """Shows a slide in the window."""
    doc.getCurrentController().setCurrentPage(page_at(doc, slide))


@office_tool("impress.add_slide", "impress")
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
    move(doc, 2, 1)
    return 1


@office_tool("impress.set_layout", "impress")
def set_layout(doc: Any, slide: int, layout: Layout) -> None:
    """Changes the layout of a slide; placeholders with text stay."""
    page_at(doc, slide).Layout = LAYOUTS[layout]


@office_tool("impress.delete_slide", "impress")
def delete_slide(doc: Any, slide: int) -> None:
    """Deletes a slide."""
    page = page_at(doc, slide)
    pages = doc.getDrawPages()
    if pages.getCount() == 1:
        raise OfficeError("bad_value", "a presentation needs at least one slide")
    pages.remove(page)


@office_tool("impress.duplicate_slide", "impress")
def duplicate_slide(doc: Any, slide: int, to: int | None = None) -> int:
    """Copies a slide; the copy stands right after it, or becomes slide `to`. Gives its number."""
    source = page_at(doc, slide)
    if to is not None and not 1 <= to <= doc.getDrawPages().getCount() + 1:
        raise OfficeError("bad_value", f"the copy cannot be slide {to}")
    doc.duplicate(source)
    if to is None:
        return slide + 1
    move(doc, slide + 1, to)
    return to


@office_tool("impress.move_slide", "impress")
def move_slide(doc: Any, slide: int, to: int) -> None:
    """Moves a slide, so that it becomes slide number `to`."""
    page_at(doc, slide)
    page_at(doc, to)
    move(doc, slide, to)


@office_tool("impress.notes", "impress")
def set_notes(doc: Any, slide: int, text: str) -> None:
    """Sets the speaker's notes of a slide."""
    notes_shape(page_at(doc, slide)).setString(text)


@office_tool("impress.transition", "impress")
def set_transition(
    doc: Any,
    transition: Transition,
    slide: int | None = None,
    duration_s: float = 1.0,
    advance_after_s: float | None = None,
) -> None:
    """Sets how a slide (or every slide) appears; and when the next comes, else on a click."""
    import uno

    if duration_s <= 0:
        raise OfficeError("bad_value", f"duration_s must be more than 0, not {duration_s}")
    chosen = TRANSITIONS[transition]
    numbers = [0, 0]
    if chosen is not None:
        scopes = ("TransitionType", "TransitionSubType")
        numbers = [
            uno.getConstantByName(f"com.sun.star.animations.{scope}.{name}")
            for scope, name in zip(scopes, chosen, strict=True)
        ]
    for page in slides(doc, slide):
        page.TransitionType, page.TransitionSubtype = numbers
        page.TransitionDuration = duration_s
        page.Change = 0 if advance_after_s is None else 1
        if advance_after_s is not None:
            page.HighResDuration = advance_after_s


def notes_shape(page: Any) -> Any:
    for shape in shapes_of(page.getNotesPage()):
        if kind_of_shape(shape) == "notes":
            return shape
    raise OfficeError("not_found", "this slide's notes page has no place for notes")


def move(doc: Any, slide: int, to: int) -> None:
    """UNO has no call for it: the commands of the Slide menu act on the slide that is shown."""
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
    """One command of the menus, done before this returns."""
    import uno

    url = uno.createUnoStruct("com.sun.star.util.URL")
    url.Complete = url.Main = f".uno:{command}"
    url.Protocol, url.Path = ".uno:", command
    found = controller.getFrame().queryDispatch(url, "_self", 0)
    if found is None:
        raise OfficeError("tool_failed", f"the window does not know the command {command}")
    found.dispatch(url, (property_value("SynchronMode", True),))
