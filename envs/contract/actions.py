"""The action union: everything an agent can do, typed, versioned, with a JSON schema.

Guarantees: an action is data, never code; unknown fields are refused; a target names exactly one
of ref, point, selector. Every executed action yields one `ActionResult` in order; a bad action is
an error result that the policy reads, not an exception.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from envs.contract.validation import describe_first, suggest_names

ACTION_SCHEMA_VERSION = 1
MAX_ACTIONS = 100
"""Actions of one step, those in batches counted."""
ACT_LIMIT_S = 30.0
"""Longest that the actions of one step may take; what is not done then is a failed result."""


class Space(StrEnum):
    """Coordinate space of a point."""

    PX = "px"
    NORM1 = "norm1"
    NORM1000 = "norm1000"


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Target(_Model):
    """One element or point: `{ref}` of the last tree, `{x, y, space}`, or `{selector}`."""

    ref: int | None = Field(None, ge=1, description="number shown as #n in the last tree")
    tree: int | None = Field(
        None, description="id of the tree the ref was read from; refused if it is not the last"
    )
    x: float | None = None
    y: float | None = None
    space: Space = Space.PX
    selector: str | None = Field(None, description="CSS selector; must match exactly one element")

    @model_validator(mode="after")
    def _exactly_one(self) -> Target:
        point = self.x is not None or self.y is not None
        if point and (self.x is None or self.y is None):
            raise ValueError("a point needs both x and y")
        if (self.ref is not None) + point + (self.selector is not None) != 1:
            raise ValueError("a target is one of {ref}, {x, y}, {selector}")
        return self

    def in_pixels(self, width: int, height: int) -> tuple[float, float]:
        """The point on a screen of this size, which it may lie outside of."""
        assert self.x is not None
        assert self.y is not None
        across, down = {
            Space.PX: (1.0, 1.0),
            Space.NORM1: (width, height),
            Space.NORM1000: (width / 1000, height / 1000),
        }[self.space]
        return self.x * across, self.y * down


def _require_point(target: Target) -> Target:
    if target.x is None:
        raise ValueError("a place in a picture is a point {x, y}")
    return target


Point = Annotated[Target, AfterValidator(_require_point)]
"""A target that is a point."""
Button = Literal["left", "middle", "right", "back", "forward"]
Modifier = Literal["alt", "ctrl", "meta", "shift"]


class Click(_Model):
    """Presses and releases a mouse button; without a target where the pointer is."""

    type: Literal["click"] = "click"
    target: Target | None = None
    button: Button = "left"
    count: int = Field(1, ge=1, le=3)
    modifiers: tuple[Modifier, ...] = ()


class Move(_Model):
    """Moves the pointer."""

    type: Literal["move"] = "move"
    target: Target


class MouseDown(_Model):
    """Presses a mouse button and holds it."""

    type: Literal["mouse_down"] = "mouse_down"
    target: Target | None = None
    button: Button = "left"


class MouseUp(_Model):
    """Releases a mouse button."""

    type: Literal["mouse_up"] = "mouse_up"
    target: Target | None = None
    button: Button = "left"


class Drag(_Model):
    """Presses a mouse button at the first point, moves along the path, releases at the last."""

    type: Literal["drag"] = "drag"
    path: tuple[Target, ...] = Field(min_length=2)
    button: Button = "left"
    modifiers: tuple[Modifier, ...] = ()


class Scroll(_Model):
    """Positive dy scrolls down, positive dx scrolls right. Without a target notches turn the wheel
    where the pointer is, other units scroll the page."""

    type: Literal["scroll"] = "scroll"
    target: Target | None = None
    dx: float = 0
    dy: float = 0
    unit: Literal["px", "notch", "page"] = "px"


class Type(_Model):
    """Types text where the focus is, or into the target."""

    type: Literal["type"] = "type"
    text: str = Field(max_length=20_000)
    target: Target | None = None
    clear: bool = Field(False, description="empty the field first")
    submit: bool = Field(False, description="press Enter afterwards")


class Key(_Model):
    """Presses keys together and releases them."""

    type: Literal["key"] = "key"
    keys: tuple[str, ...] = Field(min_length=1, description='a chord, e.g. ["ctrl", "a"]')
    repeat: int = Field(1, ge=1, le=100)


class KeyDown(_Model):
    """Presses a key and holds it."""

    type: Literal["key_down"] = "key_down"
    key: str


class KeyUp(_Model):
    """Releases a key."""

    type: Literal["key_up"] = "key_up"
    key: str


class SetValue(_Model):
    """Sets a field, check box (bool), or drop-down (option label) as a person's input would."""

    type: Literal["set_value"] = "set_value"
    target: Target
    value: Annotated[str, Field(max_length=20_000)] | bool | float


class Navigate(_Model):
    """Opens a URL."""

    type: Literal["navigate"] = "navigate"
    url: str = Field(max_length=4096, description="absolute, or relative to the current page")


class History(_Model):
    """Goes back or forward, or loads the page again."""

    type: Literal["history"] = "history"
    op: Literal["back", "forward", "reload"]


class Tab(_Model):
    """Opens, closes or selects a tab of the browser."""

    type: Literal["tab"] = "tab"
    op: Literal["new", "close", "select"]
    index: int | None = Field(None, ge=0)
    url: str | None = None


class Dialog(_Model):
    """Answers an open JavaScript dialog."""

    type: Literal["dialog"] = "dialog"
    accept: bool
    text: str | None = None


class Window(_Model):
    """Does something to a window, named by its title or a part of it."""

    type: Literal["window"] = "window"
    op: Literal["focus", "close", "maximize", "minimize", "restore"]
    window: str


class Launch(_Model):
    """Starts an application."""

    type: Literal["launch"] = "launch"
    app: str
    args: tuple[str, ...] = ()


class Clipboard(_Model):
    """Reads or writes the clipboard."""

    type: Literal["clipboard"] = "clipboard"
    op: Literal["read", "write"]
    text: str | None = None


class Wait(_Model):
    """Waits, in milliseconds."""

    type: Literal["wait"] = "wait"
    ms: int = Field(ge=0, le=10_000)


class Zoom(_Model):
    """Shows a part of the screen, enlarged, as the next picture. The screen stays as it is, and
    points of later actions stay those of the whole screen. The last action of its step."""

    type: Literal["zoom"] = "zoom"
    corners: tuple[Point, Point] = Field(description="two opposite corners of the part, as points")
    enlarge: bool = Field(True, description="false: cut out as it is, which costs fewer tokens")


class Mark(_Model):
    """Draws numbered crosses on the next picture, to check points before they are used. The screen
    stays as it is. The last action of its step."""

    type: Literal["mark"] = "mark"
    points: tuple[Point, ...] = Field(min_length=1, max_length=20)
    line: bool = Field(False, description="a line joins them in order")


class Tool(_Model):
    """An API action: a typed function of the environment, by its published name."""

    type: Literal["tool"] = "tool"
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Done(_Model):
    """Ends the task: it is done. `answer` is what the task asks to be told."""

    type: Literal["done"] = "done"
    answer: str | None = None


class Infeasible(_Model):
    """Ends the task: it cannot be done."""

    type: Literal["infeasible"] = "infeasible"
    reason: str = ""


class Note(_Model):
    """Scratch pad: recorded and shown again to the policy, no effect on the environment."""

    type: Literal["note"] = "note"
    text: str


_AnySimple = (
    Click
    | Move
    | MouseDown
    | MouseUp
    | Drag
    | Scroll
    | Type
    | Key
    | KeyDown
    | KeyUp
    | SetValue
    | Navigate
    | History
    | Tab
    | Dialog
    | Window
    | Launch
    | Clipboard
    | Wait
    | Zoom
    | Mark
    | Tool
    | Done
    | Infeasible
    | Note
)
SimpleAction = Annotated[_AnySimple, Field(discriminator="type")]


class Batch(_Model):
    """Several actions in one step; stops at the first error."""

    type: Literal["batch"] = "batch"
    actions: tuple[SimpleAction, ...] = Field(min_length=1, max_length=MAX_ACTIONS)


Action = Annotated[_AnySimple | Batch, Field(discriminator="type")]


def describe_fields(action: Action) -> str:
    """The action as JSON: its type, and the fields that differ from their defaults."""
    fields = action.model_dump(mode="json", exclude_defaults=True)
    return json.dumps({"type": action.type, **fields}, ensure_ascii=False)


def count_actions(actions: Sequence[Action]) -> int:
    """Those in batches counted."""
    return sum(len(single_actions(action)) for action in actions)


def single_actions(action: Action) -> tuple[SimpleAction, ...]:
    """A batch's actions, any other action alone."""
    return action.actions if isinstance(action, Batch) else (action,)


action_adapter: TypeAdapter[Action] = TypeAdapter(Action)
simple_action_adapter: TypeAdapter[SimpleAction] = TypeAdapter(SimpleAction)


TYPES_SHOWN = '"click", "type" or "done"'
"""In the answer to an action without one."""


def why_invalid(error: ValidationError) -> str:
    """The first thing wrong with an action, as a policy is told: field and reason."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = "".join(f"{part}." for part in first["loc"]) + "type"
    match first["type"]:
        case "union_tag_not_found":
            reason = f"{where} is missing, such as {TYPES_SHOWN}"
        case "union_tag_invalid":
            tag, known = first["ctx"]["tag"], first["ctx"]["expected_tags"].replace("'", "")
            hint = suggest_names(tag, known.split(", "))
            reason = f"{where}: there is no {tag[:40]!r}{hint}; there are: {known}"
        case _:
            reason = describe_first(error)
    return f"bad action: {reason}"[:200]


class ActionError(StrEnum):
    """Why an action was refused or failed; the policy sees the word and the message."""

    MALFORMED = "malformed"
    UNKNOWN_REF = "unknown_ref"
    STALE_REF = "stale_ref"
    NOT_FOUND = "not_found"
    NOT_INTERACTABLE = "not_interactable"
    MISSED = "missed"
    BAD_VALUE = "bad_value"
    UNKNOWN_TOOL = "unknown_tool"
    TOOL_ARGUMENTS = "tool_arguments"
    TOOL_FAILED = "tool_failed"
    UNSUPPORTED = "unsupported"
    NAVIGATION = "navigation"
    NOT_ALLOWED = "not_allowed"
    REFUSED = "refused"
    TIMEOUT = "timeout"


class ElementTraits(_Model):
    """What the page itself calls an element: role and name as a tree shows them, and attributes
    that outlive its words and its place. For scripts, which find it again. Empty where it has
    none; `form` and `method`: where its form is sent to, and how."""

    role: str = Field("", max_length=40)
    label: str = Field("", max_length=200)
    tag: str = Field("", max_length=40)
    id: str = Field("", max_length=200)
    name: str = Field("", max_length=200)
    type: str = Field("", max_length=40)
    value: str = Field("", max_length=200, description="of a button: what it sends")
    test_id: str = Field("", max_length=200)
    href: str = Field("", max_length=500)
    form: str = Field("", max_length=500)
    method: str = Field("", max_length=10)


class ActionResult(_Model):
    """What one action did. `value` carries a tool's return value or the clipboard's text."""

    ok: bool
    error: ActionError | None = None
    message: str = ""
    value: Any = None
    at: tuple[float, float] | None = Field(
        None, description="where on the screen it happened, in pixels; for viewers of a trajectory"
    )
    element: ElementTraits | None = Field(
        None, description="the page's element that it was done to; no agent is shown it"
    )

    @classmethod
    def success(cls, value: Any = None) -> ActionResult:
        """The result of an action that worked; `value` is what the policy reads."""
        return cls(ok=True, value=value)

    @classmethod
    def failure(cls, error: ActionError, message: str) -> ActionResult:
        """The result of an action that did not work, with a message for the policy."""
        return cls(ok=False, error=error, message=message)


async def perform_in_order(
    actions: Sequence[Action],
    act: Callable[[SimpleAction, bool], Awaitable[ActionResult]],
    limit_s: float = ACT_LIMIT_S,
) -> list[ActionResult]:
    """Performs actions one after another and returns a result for each. Stops after the first that
    fails, because the later ones were chosen for the state that it should have led to. A batch is
    one action; its value is the list of its parts' values. `act(action, final)` performs one;
    `final` says that no action follows. After `limit_s` seconds the running action is cancelled
    and counts as failed: the agent chose actions that take so long."""
    deadline = asyncio.get_running_loop().time() + limit_s
    act = _until(deadline, limit_s, act)
    results: list[ActionResult] = []
    for index, action in enumerate(actions):
        final = index == len(actions) - 1
        if isinstance(action, Batch):
            results.append(await _batch(action, final, act))
        else:
            results.append(await act(action, final))
        if not results[-1].ok:
            break
    return results


def _until(
    deadline: float, limit_s: float, act: Callable[[SimpleAction, bool], Awaitable[ActionResult]]
) -> Callable[[SimpleAction, bool], Awaitable[ActionResult]]:
    async def act_in_time(action: SimpleAction, final: bool) -> ActionResult:
        try:
            async with asyncio.timeout_at(deadline) as limit:
                return await act(action, final)
        except TimeoutError:
            if not limit.expired():
                raise
            message = f"the actions of one step may take {limit_s:g} s; this one was broken off"
            return ActionResult.failure(ActionError.TIMEOUT, message)

    return act_in_time


async def _batch(
    batch: Batch, final: bool, act: Callable[[SimpleAction, bool], Awaitable[ActionResult]]
) -> ActionResult:
    values = []
    for index, part in enumerate(batch.actions):
        result = await act(part, final and index == len(batch.actions) - 1)
        if not result.ok:
            message = f"action {index + 1} of the batch: {result.message}"
            return result.model_copy(update={"message": message})
        values.append(result.value)
    return ActionResult.success([value for value in values if value is not None] or None)
