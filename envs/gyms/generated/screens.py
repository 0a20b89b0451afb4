"""What a page of a generated app holds, before a family of renderers makes HTML of it.

A screen is plain data: texts, addresses and forms with their tokens. It says nothing of markup, so
that each family shows the same screen in its own way.
"""

from __future__ import annotations

from dataclasses import dataclass, field

JOINT = " · "
"""Between a record's name and its values, where both are one link or button."""


@dataclass(frozen=True, slots=True)
class Link:
    """Leads to an address."""

    text: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Asked in a dialog before a button acts."""

    text: str
    yes: str
    no: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """Sends a form of hidden fields; `label` tells it from others of the same text."""

    text: str
    action: str
    hidden: dict[str, str]
    label: str | None = None
    question: Question | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A field of a form. `kind`: text, choice (a drop-down), radio, check. `options` are pairs of
    value and text; a check's value is "yes" when it is ticked."""

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    options: tuple[tuple[str, str], ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormView:
    """`opener`: the text of the button that opens it as a dialog; without one it stands on the
    page. `is_query`: its fields become the address of a page. `at_once`: a drop-down that changes
    sends it."""

    action: str
    controls: tuple[Control, ...]
    submit: str
    hidden: dict[str, str] = field(default_factory=dict)
    cancel: Link | None = None
    opener: str | None = None
    title: str = ""
    is_query: bool = False
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A label and what belongs to it, perhaps as a link. `tone`: of a state, how it is meant: new,
    pending, active or declined, as the kit's sheets colour them."""

    label: str
    text: str
    href: str | None = None
    tone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A record in a list. `tick`: the name of its check box, where several can be ticked."""

    name: Link
    cells: tuple[Cell, ...]
    group: str = ""
    buttons: tuple[Button, ...] = ()
    tick: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListView:
    """`view`: table, cards, lines, grouped or board. `bulk`: what is done to the ticked rows."""

    view: str
    name_label: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    groups: tuple[str, ...] = ()
    summary: str = ""
    empty: str = ""
    page: int = 1
    pages: int = 1
    previous: Link | None = None
    next: Link | None = None
    bulk: FormView | None = None


@dataclass(frozen=True, slots=True)
class RecordView:
    """Labels and values of one record. `style`: pairs, table or prose."""

    cells: tuple[Cell, ...]
    style: str


@dataclass(frozen=True, slots=True)
class Actions:
    """What can be done, and what is behind the button `menu` (its text)."""

    shown: tuple[Link | Button, ...]
    menu: str = ""
    in_menu: tuple[Link | Button, ...] = ()


@dataclass(frozen=True, slots=True)
class Related:
    """Links under a heading, each with a remark."""

    title: str
    entries: tuple[tuple[Link, str], ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph."""

    text: str


Block = FormView | ListView | RecordView | Actions | Related | Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """A whole page. `crumbs` lead back; `aside` is what stands beside the blocks."""

    title: str
    blocks: tuple[Block, ...]
    crumbs: tuple[Link, ...] = ()
    aside: Related | None = None
