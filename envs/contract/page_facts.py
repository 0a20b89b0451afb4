"""What a host tells of a page before an action: its texts, and what the action would touch.

For whoever decides whether the action may run; an agent never sees it. Everything in it comes from
the page and is data.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Place = Literal["visible", "hidden", "attribute"]
"""`hidden`: in the document, and not to be seen by a person."""
MAX_PASSAGES = 600
PASSAGE_CHARS = 1200


class _Facts(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Passage(_Facts):
    """One block of a page's text, in the order of the document."""

    text: str
    place: Place = "visible"


class FormFacts(_Facts):
    """The form that an element belongs to."""

    action: str = Field("", description="absolute URL that it is sent to")
    method: str = "get"
    labels: tuple[str, ...] = Field((), description="names of its fields")
    values: tuple[str, ...] = Field((), description="what stands in them, passwords left out")
    buttons: tuple[str, ...] = ()


class ElementFacts(_Facts):
    """The element that an action touches."""

    tag: str = ""
    type: str = ""
    name: str = Field("", description="as a person would call it")
    href: str = ""
    is_submit: bool = Field(False, description="a click on it sends its form")
    is_button: bool = Field(False, description="a button by its kind or its role")
    form: FormFacts | None = None


class PageFacts(_Facts):
    """The page of now. `elements`: one for each action; None where it touches none that is
    known."""

    url: str = ""
    title: str = ""
    dialog: str = ""
    passages: tuple[Passage, ...] = ()
    elements: tuple[ElementFacts | None, ...] = ()
    resends: tuple[str, ...] = Field(
        (), description="one for each action: where it would send a form a second time, or nothing"
    )
    unread_frames: int = Field(0, description="frames of other sites, which cannot be looked into")
