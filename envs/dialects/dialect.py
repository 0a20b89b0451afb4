"""What the dialects share: the answer as read, results by call, pictures' and screens' sizes.

A dialect is a module with

    parse(output, ...) -> Parsed                       a model's answer, read
    render(parsed, results, observation, ...) -> ...   what the model is sent next

Guarantees: both are pure. `parse` takes anything, raises nothing, runs nothing, and its time is
bounded by the length of what it reads. An answer is taken whole or not at all: when a part of it
cannot be read, or not be said in our actions, no part is carried out and `Parsed.error` is a
failed result (`malformed`, `make_unsupported`, `bad_value`, `not_allowed`) for the model to read.
Exceptions of `render` are bugs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from envs.contract.actions import (
    MAX_ACTIONS,
    Action,
    ActionError,
    ActionResult,
    Batch,
    Click,
    Done,
    Drag,
    Infeasible,
    KeyDown,
    KeyUp,
    Modifier,
    Scroll,
    SimpleAction,
    Target,
    Wait,
    why_invalid,
)
from envs.contract.keys import canonical_key

Json = dict[str, Any]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom as fractions of the screen."""

MAX_CHARS = 200_000
"""Longer answers are refused unread."""
MAX_WAIT_MS = 30_000
"""Of all waits of an answer together; a step at a host has a minute."""
INFEASIBLE = "[INFEASIBLE]"
"""Begins the last message of a model that gives up. Formats without a word for that use this one;
the system prompt has to say so."""
LOOK = Wait(ms=0)
"""Does nothing; the step still brings a new observation. For what asks for a screenshot."""

Number = Annotated[float, Field(strict=True, ge=-100_000, le=100_000)]


class Format(BaseModel):
    """Base of the models for one thing that a model may say. Unknown fields are refused: what they
    ask for would be lost."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Refused(Exception):
    """A part of an answer that is not taken; becomes `Parsed.error`."""

    def __init__(self, message: str, error: ActionError = ActionError.MALFORMED) -> None:
        super().__init__(message)
        self.error = error
        self.result = ActionResult.failure(error, _clean(message)[:300])


def _clean(text: str) -> str:
    """Without lone surrogates, which no file or message can hold."""
    return text.encode(errors="replace").decode()


def make_unsupported(message: str) -> Refused:
    """The error for an action that Deskhand has no equivalent of."""
    return Refused(message, ActionError.UNSUPPORTED)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an answer. `id` is where its result goes, empty where the format has none."""

    id: str = ""
    actions: tuple[SimpleAction, ...] = ()
    region: Box | None = None
    """The part of the screen that the call asks to see enlarged."""
    checks: tuple[Json, ...] = ()
    """Safety checks that its answer acknowledges."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A model's answer as read. With an `error`, no call has actions."""

    thought: str
    calls: tuple[Call, ...]
    error: ActionResult | None = None

    @property
    def actions(self) -> tuple[SimpleAction, ...]:
        """What to do, in order; empty only where there is an error."""
        return tuple(action for call in self.calls for action in call.actions)

    @property
    def checks(self) -> tuple[str, ...]:
        """What the model itself wants a person to look at, in its words."""
        checks = (check for call in self.calls for check in call.checks)
        return tuple(str(check.get("message") or check.get("code") or "") for check in checks)

    @property
    def action(self) -> Action | None:
        """The same as one action."""
        if len(self.actions) > 1:
            return Batch(actions=self.actions)
        return self.actions[0] if self.actions else None

    def outcomes(self, results: Sequence[ActionResult]) -> list[ActionResult]:
        """One result a call. `results` are those of `actions` in order, up to the first failure."""
        if self.error is not None:
            return [self.error] * len(self.calls)
        outcomes: list[ActionResult] = []
        at = 0
        for call in self.calls:
            outcomes.append(_of_call(results[at : at + len(call.actions)], len(call.actions)))
            at += len(call.actions)
        return outcomes


def _of_call(results: Sequence[ActionResult], count: int) -> ActionResult:
    failed = next((result for result in results if not result.ok), None)
    if failed is not None:
        return failed
    if len(results) < count:
        return ActionResult(ok=False, message="not carried out, as an earlier action failed")
    values = [result.value for result in results if result.value is not None]
    return ActionResult.success(values[0] if len(values) == 1 else values or None)


@dataclass(frozen=True, slots=True)
class Request:
    """A call yet to be read. `read` may raise Refused or ValidationError."""

    read: Callable[[], Iterable[SimpleAction]]
    id: str = ""
    region: Box | None = None
    checks: tuple[Json, ...] = ()


def read_all(thought: str, requests: Sequence[Request]) -> Parsed:
    """Reads all calls; if one is refused, none has actions, but each keeps its id."""
    calls: list[Call] = []
    error: ActionResult | None = None
    try:
        for request in requests:
            actions = tuple(islice(request.read(), MAX_ACTIONS + 1))
            calls.append(Call(request.id, actions, request.region, request.checks))
        _check_amount([action for call in calls for action in call.actions])
    except Refused as refused:
        error = refused.result
    except ValidationError as invalid:
        error = Refused(why_invalid(invalid)).result
    if error is not None:
        calls = [Call(request.id) for request in requests]
    return Parsed(_clean(thought).strip(), tuple(calls), error)


def make_refusal(message: str, thought: str = "") -> Parsed:
    """An answer whose calls cannot be separated, as one failed result."""
    return Parsed(_clean(thought).strip(), (), Refused(message).result)


def _check_amount(actions: Sequence[SimpleAction]) -> None:
    if not actions:
        raise Refused("the answer has no action")
    if len(actions) > MAX_ACTIONS:
        raise Refused(f"more than {MAX_ACTIONS} actions in one answer")
    waits = sum(action.ms for action in actions if isinstance(action, Wait))
    if waits > MAX_WAIT_MS:
        raise Refused(
            f"waiting {waits / 1000:g} s; at most {MAX_WAIT_MS // 1000} s in one answer",
            ActionError.BAD_VALUE,
        )


def decode_json(output: object) -> object:
    """JSON text as data, anything else as it is. Raises Refused."""
    if not isinstance(output, str | bytes):
        return output
    if len(output) > MAX_CHARS:
        raise Refused(f"an answer of {len(output)} characters; at most {MAX_CHARS} are read")
    try:
        data = json.loads(output)
        # Half a surrogate pair, written as an escape, could be neither sent on nor recorded.
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Refused(f"not valid JSON: {str(error)[:80]}") from error
    return data


def ending(text: str) -> Done | Infeasible:
    """What a model means that says something and does nothing: it is finished."""
    text = text.strip()
    if text.startswith(INFEASIBLE):
        return Infeasible(reason=text.removeprefix(INFEASIBLE).strip())
    return Done(answer=text)


def waits(seconds: float) -> list[SimpleAction]:
    """A wait in pieces that our Wait allows. Raises Refused for one that no answer may have."""
    if not 0 <= seconds * 1000 <= MAX_WAIT_MS:
        raise Refused(
            f"cannot wait {seconds:g} s; from 0 to {MAX_WAIT_MS // 1000} s",
            ActionError.BAD_VALUE,
        )
    whole, rest = divmod(round(seconds * 1000), 10_000)
    return [*[Wait(ms=10_000)] * whole, *([Wait(ms=rest)] if rest or not whole else [])]


def holding(keys: Iterable[str], *actions: SimpleAction) -> list[SimpleAction]:
    """The actions while keys are held: as modifiers where one click or drag has such, else keys
    down and up around them."""
    held = [canonical_key(key) for key in keys]
    match actions:
        case (Click() | Drag() as action,) if held and set(held) <= set(get_args(Modifier)):
            return [type(action).model_validate({**action.model_dump(), "modifiers": held})]
    down = [KeyDown(key=key) for key in held]
    return [*down, *actions, *(KeyUp(key=key) for key in reversed(held))]


def notches(direction: str, amount: float, target: Target | None) -> Scroll:
    """Turns of the wheel towards up, down, left or right. Raises Refused."""
    signs = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
    if direction not in signs:
        raise Refused(f"cannot scroll {direction[:40]!r}; up, down, left, right", _BAD_VALUE)
    dx, dy = signs[direction]
    return Scroll(target=target, dx=dx * amount, dy=dy * amount, unit="notch")


_BAD_VALUE = ActionError.BAD_VALUE


@dataclass(frozen=True, slots=True)
class Display:
    """The screen's (or page's) size in pixels, and that of the pictures that a model is shown."""

    width: int
    height: int
    shown: tuple[int, int] | None = None

    @property
    def picture(self) -> tuple[int, int]:
        """Width and height of the pictures that the model sees, in pixels."""
        return self.shown or (self.width, self.height)

    def target(self, x: float, y: float) -> Target:
        """The point of the screen that is at (x, y) of the picture. Raises Refused outside of it;
        the picture's right and lower edges count as its last pixels."""
        width, height = self.picture
        if not (0 <= x <= width and 0 <= y <= height):
            raise Refused(
                f"({x:g}, {y:g}) lies outside the picture of {width} x {height}", _BAD_VALUE
            )
        return self.at(x / width, y / height)

    def at(self, x: float, y: float) -> Target:
        """The point at fractions of the screen."""
        return Target(
            x=min(round(x * self.width), self.width - 1),
            y=min(round(y * self.height), self.height - 1),
        )

    def point(self, target: Target) -> tuple[int, int]:
        """Where a point of the screen, in pixels, is in the picture. Raises ValueError for refs and
        selectors."""
        if target.x is None or target.y is None:
            raise ValueError("only a point has a place in a picture")
        width, height = self.picture
        return round(target.x * width / self.width), round(target.y * height / self.height)
