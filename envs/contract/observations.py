"""What a session returns, paid for per need.

The compact tree is text, one line an element, made for small policies to read and copy from:

    role name = value [option | option] (state, state) #ref

The ref comes last so that whoever has just quoted an element's name finds its ref as the next
word. `parse_tree` inverts the format; names have line breaks and runs of blanks collapsed and
`#`, `=`, `[`, `|` never start a word inside a name (the walker drops them).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ScreenshotRequest(_Model):
    """Format and size of a requested picture."""

    format: Literal["jpeg", "png", "webp"] = "jpeg"
    quality: int = Field(70, ge=1, le=100)
    scale: float = Field(1.0, gt=0, le=1)


class Observe(_Model):
    """Which observations the caller wants back from a reset or step."""

    tree: bool = True
    tree_chars: int = Field(3000, ge=200, le=100_000, description="budget; the rest is cut")
    tree_options: int = Field(
        12, ge=0, description="drop-downs with at most this many options list them; 0: none does"
    )
    points: bool = Field(
        False, description="where a pointer meets each element of the tree; pages in a browser only"
    )
    screenshot: ScreenshotRequest | None = None
    text: bool = False
    console: bool = False
    windows: bool = False
    unless_hash: str | None = Field(
        None,
        description="hash of an earlier observation; if it still holds, `unchanged` comes back",
    )


class Tree(_Model):
    """The accessibility tree as lines of text; element numbers belong to this `id`."""

    id: int = Field(description="number of this tree in its session; refs belong to it")
    text: str
    truncated: bool = False
    scroll: str = Field("", description='what lies outside the viewport, e.g. "more below"')
    points: dict[int, tuple[int, int]] | None = Field(
        None, description="x and y in pixels by ref, where they were asked for"
    )


class ScreenPart(_Model):
    """A part of a screen, in the screen's pixels."""

    left: int
    top: int
    right: int
    bottom: int
    screen: tuple[int, int] = Field(description="width and height of the whole screen")


class Screenshot(_Model):
    """An encoded picture of the page or screen."""

    format: str
    width: int
    height: int
    data: str = Field(description="base64")
    part: ScreenPart | None = Field(
        None, description="what the picture shows after a zoom; none: the whole screen"
    )

    @property
    def screen(self) -> tuple[int, int]:
        """Width and height of the screen: what points in pixels are of."""
        return (self.width, self.height) if self.part is None else self.part.screen


class Observation(_Model):
    """What the agent sees after a step: the parts it asked for."""

    hash: str
    unchanged: bool = False
    url: str = ""
    title: str = ""
    tree: Tree | None = None
    screenshot: Screenshot | None = None
    text: str | None = None
    console: tuple[str, ...] = ()
    windows: tuple[str, ...] = ()
    dialog: str | None = Field(None, description="text of an open JavaScript dialog")


DIALOG_CHARS = 240
TITLE_CHARS = 120


def one_line(text: str, limit: int) -> str:
    """Blanks collapsed, cut to `limit` characters: text of a page cannot pass for other lines."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def lines_of(observation: Observation) -> list[str]:
    """An observation in lines, as a policy reads it: open dialog, title, tree."""
    lines: list[str] = []
    if observation.dialog is not None:
        lines.append(f"dialog: {one_line(observation.dialog, DIALOG_CHARS)}")
    lines.append(f"page: {one_line(observation.title, TITLE_CHARS)}")
    if observation.tree is not None:
        lines.append(observation.tree.text)
        if observation.tree.scroll:
            lines.append(f"({observation.tree.scroll})")
    return lines


@dataclass(frozen=True, slots=True)
class TreeLine:
    """One line of a rendered tree, parsed."""

    role: str
    name: str
    value: str | None
    options: tuple[str, ...]
    states: tuple[str, ...]
    ref: int | None


_LINE = re.compile(
    r"^(?P<role>\S+)(?: (?P<name>(?!= |\[|\([a-z, ]+\)(?: #\d+)?$|#\d)\S.*?))??"
    r"(?: = (?P<value>.*?))??"
    r"(?: \[(?P<options>[^\]]*)\])?(?: \((?P<states>[a-z, ]+)\))?(?: #(?P<ref>\d+))?$"
)


def parse_tree(text: str) -> list[TreeLine]:
    """Lines of a compact tree, in order. Lines that do not fit the format are skipped."""
    lines: list[TreeLine] = []
    for raw in text.splitlines():
        match = _LINE.match(raw)
        if match is None:
            continue
        options, states, ref = match["options"], match["states"], match["ref"]
        lines.append(
            TreeLine(
                role=match["role"],
                name=match["name"] or "",
                value=match["value"],
                options=tuple(options.split(" | ")) if options else (),
                states=tuple(states.split(", ")) if states else (),
                ref=int(ref) if ref else None,
            )
        )
    return lines


def tree_lines(tree: Tree | None) -> list[TreeLine]:
    """Its lines; none where there is no tree."""
    return [] if tree is None else parse_tree(tree.text)
