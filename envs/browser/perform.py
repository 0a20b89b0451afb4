"""Carries out one action on one tab. What the agent did wrong is a failed result, never a raise.

Input is real (CDP Input events); all events of one action are sent before the first reply is
awaited. Drop-downs are set in the page with the events that a person's choice would fire.
"""

from __future__ import annotations

import asyncio
import re
import time
from decimal import Decimal
from itertools import pairwise
from typing import Any

from pydantic import ValidationError

from envs.browser.chooser import CHOOSER_S
from envs.browser.drawing import begin_next_frame
from envs.browser.keys import MODIFIER_BITS, KeyPress, key_press
from envs.browser.navigation import go_in_history, go_to
from envs.browser.page import Page
from envs.browser.secret_book import SecretBook, SecretRefused, has_secret
from envs.browser.session_files import SessionFiles
from envs.contract.actions import (
    Action,
    ActionError,
    ActionResult,
    Button,
    Click,
    Clipboard,
    Dialog,
    Done,
    Drag,
    ElementTraits,
    History,
    Infeasible,
    Key,
    KeyDown,
    KeyUp,
    Mark,
    MouseDown,
    MouseUp,
    Move,
    Navigate,
    Note,
    Scroll,
    SetValue,
    Target,
    Type,
    Wait,
    Zoom,
)
from envs.contract.files import NoSuchFile
from envs.contract.refusal import Refusal
from envs.io.cdp import CdpError, Json

Call = tuple[str, Json | None]
_PICKED = {"color", "date", "datetime-local", "month", "range", "time", "week"}
"""Types of fields that are set as a whole."""
_BUTTON_BITS = {"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}
_ASKS_FOR_PART = re.compile(r"[$*^]\s*=|\|=")
"""Selectors that would tell an agent, guess by guess, what an attribute begins with."""
MAX_REF = 2**53 - 1
"""Higher numbers cannot be told apart in a page."""


class Performer:
    """Keeps what lasts between the actions of one session: pointer, held keys, clipboard."""

    def __init__(
        self,
        width: int,
        height: int,
        secrets: SecretBook | None = None,
        files: SessionFiles | None = None,
    ) -> None:
        self.width, self.height = width, height
        self._secrets = secrets or SecretBook()
        self._files = files or SessionFiles(self._secrets)
        self.pointer = (width / 2, height / 2)
        self.held: dict[str, KeyPress] = {}
        self.button: Button | None = None
        """The mouse button that is held down."""
        self.clipboard = ""
        self.tree = 0
        """Number of the last tree; refs of others are refused."""
        self.origin: str | None = None
        """When set, navigation to any other origin is refused."""
        self._at: tuple[float, float] | None = None
        """Where the action of now happens."""
        self._element: ElementTraits | None = None
        """The element that it happens to."""

    async def perform(self, page: Page, action: Action) -> ActionResult:
        """Carries out one action; what the policy did wrong is a failed result."""
        self._at = self._element = None
        try:
            # It would paste what is selected, a part of a value, also into frames of other sites.
            if self._secrets.holds_any and getattr(action, "button", None) == "middle":
                message = "a task with secrets has no middle button"
                raise Refusal(ActionError.NOT_ALLOWED, message)
            result = await self._perform(page, action)
            return result.model_copy(update={"at": self._at, "element": self._element})
        except Refusal as refusal:
            return refusal.result
        except CdpError as error:
            return ActionResult.failure(ActionError.NOT_INTERACTABLE, str(error)[:200])

    async def _perform(self, page: Page, action: Action) -> ActionResult:
        match action:
            case Click():
                await self._click(page, action)
            case Move(target=target):
                x, y = await self._point(page, target)
                await self._move(page, x, y)
            case MouseDown(target=target, button=button):
                x, y = await self._point_or_pointer(page, target)
                await page.pipeline([self._mouse("mousePressed", x, y, button)])
                self.button = button
            case MouseUp(target=target, button=button):
                x, y = await self._point_or_pointer(page, target)
                self.button = None
                await page.pipeline([self._mouse("mouseReleased", x, y, button)])
            case Drag():
                await self._drag(page, action)
            case Scroll(target=target, dx=dx, dy=dy, unit=unit):
                where = None
                wheel = target is None and unit == "notch"  # acts where the pointer is
                if wheel or (target is not None and target.x is not None):
                    x, y = await self._point_or_pointer(page, target)
                    where = {"x": x, "y": y}
                elif target is not None:
                    where = self._find(target)
                _accept_reply(await page.walker("scroll", where, dx, dy, unit))
                await begin_next_frame(page)
            case Type(text=text) if page.chooser is not None:
                await self._choose_files(page, text)
            case Type():
                await self._type(page, action)
            case Key(keys=keys, repeat=repeat):
                for _ in range(repeat):
                    if not await self._edit(page, keys):
                        await page.pipeline(self._chord(keys))
            case KeyDown(key=name):
                press = _get_key(name)
                self.held[press.code or press.key] = press
                await page.pipeline([_key("keyDown", press, self._held_bits())])
            case KeyUp(key=name):
                press = _get_key(name)
                self.held.pop(press.code or press.key, None)
                await page.pipeline([_key("keyUp", press, self._held_bits())])
            case SetValue():
                await self._set_value(page, action)
            case Navigate(url=url):
                await go_to(page, url, self.origin)
            case History(op=op):
                await go_in_history(page, op, self.origin)
            case Dialog(accept=accept, text=text):
                if page.dialog is None:
                    raise Refusal(ActionError.NOT_FOUND, "no dialog is open")
                if accept and page.chooser is not None:
                    await self._choose_files(page, text or "")
                else:
                    await page.handle_dialog(accept, text)
            case Clipboard(op="write", text=text):
                self.clipboard = text or ""
            case Clipboard():
                return ActionResult.success(self.clipboard)
            case Wait(ms=ms):
                await asyncio.sleep(ms / 1000)
            # What a zoom or mark shows, the host draws on the step's picture (envs/host/lens.py).
            case Done() | Infeasible() | Note() | Zoom() | Mark():
                pass
            case _:
                raise Refusal(ActionError.UNSUPPORTED, f"{action.type} does nothing in a browser")
        return ActionResult.success()

    async def release_all(self, page: Page) -> None:
        """Lets go of what is held and forgets the clipboard: nothing leaks into the next task."""
        held, self.held = list(self.held.values()), {}
        calls = [_key("keyUp", press, 0) for press in held]
        if self.button is not None:
            calls.append(self._mouse("mouseReleased", *self.pointer, self.button))
            self.button = None
        self.pointer, self.clipboard = (self.width / 2, self.height / 2), ""
        if calls:
            await page.pipeline(calls)

    async def _move(self, page: Page, x: float, y: float) -> None:
        """Pages hear of a mere movement with the next frame."""
        await page.pipeline([self._mouse("mouseMoved", x, y)])
        await begin_next_frame(page)

    async def _click(self, page: Page, action: Click) -> None:
        x, y = await self._point_or_pointer(page, action.target, will_press=True)
        bits = self._held_bits() | sum(MODIFIER_BITS[name] for name in set(action.modifiers))
        page.events.missed = ""
        calls = [self._mouse("mouseMoved", x, y, bits=bits)]
        for count in range(1, action.count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                calls.append(self._mouse(kind, x, y, action.button, bits, count))
        await page.pipeline(calls)
        if page.events.missed:
            raise Refusal(ActionError.MISSED, describe_miss(page.events.missed))

    async def _drag(self, page: Page, action: Drag) -> None:
        points = [await self._point(page, target) for target in action.path]
        bits = self._held_bits() | sum(MODIFIER_BITS[name] for name in set(action.modifiers))
        calls = [
            self._mouse("mouseMoved", *points[0], bits=bits),
            self._mouse("mousePressed", *points[0], action.button, bits),
        ]
        for (x0, y0), (x1, y1) in pairwise(points):
            for part in range(1, 9):
                x, y = x0 + (x1 - x0) * part / 8, y0 + (y1 - y0) * part / 8
                calls.append(self._mouse("mouseMoved", x, y, action.button, bits, held=True))
        calls.append(self._mouse("mouseReleased", *points[-1], action.button, bits))
        await page.pipeline(calls)

    async def _type(self, page: Page, action: Type) -> None:
        calls: list[Call] = []
        if action.target is not None:
            if action.target.ref is None and action.target.selector is None:
                await self._click(page, Click(target=action.target))
                focused: dict[str, Any] = {"characters": 1}
                if action.clear:
                    calls += self._chord(("ctrl", "a"))
            else:
                focused = _accept_reply(
                    await page.walker("focus", self._find(action.target), action.clear)
                )
                self._at = (focused["x"], focused["y"])
                self._element = self._element or _read_traits(focused)
                if focused.get("type") in _PICKED:
                    value = await self._reveal(page, action.text)
                    _accept_reply(await page.walker("assign", self._find(action.target), value))
                    return
            if action.clear and not action.text and focused["characters"]:
                calls += self._chord(("delete",))
        elif action.clear:
            calls += [*self._chord(("ctrl", "a")), *self._chord(("delete",))]
        if action.text:
            text = await self._reveal(page, action.text)
            calls.append(("Input.insertText", {"text": text}))
        if action.submit:
            calls += self._chord(("enter",))
        if calls:
            await page.pipeline(calls)

    async def _reveal(self, page: Page, text: str) -> str:
        """The text as it is typed, with the values of its secrets. Raises Refusal where the focus
        is on none of their sites."""
        if not has_secret(text):
            return text
        place = await page.walker("typingPlace")
        if not place["isField"]:
            raise Refusal(
                ActionError.NOT_INTERACTABLE, "a secret is typed into a field only: focus one first"
            )
        try:
            revealed = self._secrets.reveal(text, place["origin"])
        except SecretRefused as refusal:
            raise Refusal(ActionError.NOT_ALLOWED, str(refusal)) from refusal
        await page.walker("guard", self._secrets.values_in(text), text)
        return revealed

    async def _edit(self, page: Page, names: tuple[str, ...]) -> bool:
        """Copy, cut and paste with the session's own clipboard: the browser's is shared by all."""
        presses = [_get_key(name) for name in names]
        if len(presses) != 2 or presses[0].modifier not in (2, 4):
            return False
        letter = presses[1].key.lower()
        if letter in ("c", "x"):
            hidden = self._secrets.spellings
            self.clipboard = await page.walker("selection", hidden) or self.clipboard
            if letter == "x":
                await page.pipeline(self._chord(("delete",)))
        elif letter == "v":
            await page.pipeline([("Input.insertText", {"text": self.clipboard})])
        return letter in ("c", "x", "v")

    async def _set_value(self, page: Page, action: SetValue) -> None:
        value = action.value
        if isinstance(value, bool):
            located = await self._locate(page, action.target)
            if located["role"] not in ("check", "radio"):
                raise Refusal(ActionError.BAD_VALUE, "the element is not a check box")
            if located["checked"] != value:
                await self._click(page, Click(target=action.target))
            return
        located = await self._locate(page, action.target)
        self._at = (located["x"], located["y"])
        text = value if isinstance(value, str) else _digits(value)
        if located["tag"] == "INPUT" and located["type"] == "file":
            await self._click(page, Click(target=action.target))
            await self._wait_for_chooser(page)
            if page.chooser is None:
                raise Refusal(ActionError.NOT_INTERACTABLE, "the field asks for no file")
            await self._choose_files(page, text)
        elif located["tag"] == "SELECT":
            _accept_reply(await page.walker("choose", self._find(action.target), text))
        else:
            await self._type(page, Type(text=text, target=action.target, clear=True))
            await page.walker("blur")  # a person leaves the field, and the page hears `change`

    async def _choose_files(self, page: Page, text: str) -> None:
        """Answers the open chooser with the files that a text names, one on each line."""
        assert page.chooser is not None
        names = [line.strip() for line in text.splitlines() if line.strip()]
        names = names or list(self._files.names)
        if len(names) > 1 and not page.chooser.takes_several:
            raise Refusal(ActionError.BAD_VALUE, "the page takes one file here: give its name")
        try:
            paths = self._files.choose(names)
        except NoSuchFile as error:
            raise Refusal(ActionError.BAD_VALUE, str(error)) from error
        answer = {"files": paths, "backendNodeId": page.chooser.node}
        await page.handle_dialog(True, None)
        await page.call("DOM.setFileInputFiles", answer)

    async def _wait_for_chooser(self, page: Page) -> None:
        """Returns when one is open, or none has opened in CHOOSER_S."""
        until = time.monotonic() + CHOOSER_S
        while page.chooser is None and time.monotonic() < until:
            await asyncio.sleep(CHOOSER_S / 100)

    async def _locate(self, page: Page, target: Target, will_press: bool = False) -> dict[str, Any]:
        located = _accept_reply(await page.walker("locate", self._find(target), will_press))
        # Of a drag, what is dragged.
        self._element = self._element or _read_traits(located)
        return located

    async def _point(
        self, page: Page, target: Target, will_press: bool = False
    ) -> tuple[float, float]:
        if target.x is not None:
            x, y = target.in_pixels(self.width, self.height)
            if not (0 <= x <= self.width and 0 <= y <= self.height):
                raise Refusal(ActionError.BAD_VALUE, f"({x:g}, {y:g}) lies outside the page")
        else:
            located = await self._locate(page, target, will_press)
            x, y = located["x"], located["y"]
        self.pointer = self._at = (x, y)
        return x, y

    async def _point_or_pointer(
        self, page: Page, target: Target | None, will_press: bool = False
    ) -> tuple[float, float]:
        return self.pointer if target is None else await self._point(page, target, will_press)

    def _find(self, target: Target) -> dict[str, Any]:
        if target.x is not None:
            raise Refusal(ActionError.BAD_VALUE, "this action needs an element, not a point")
        if target.tree is not None and target.tree != self.tree:
            raise Refusal(
                ActionError.STALE_REF,
                f"#{target.ref} belongs to tree {target.tree}, the last tree is {self.tree}",
            )
        if target.ref is not None and target.ref > MAX_REF:
            raise Refusal(ActionError.UNKNOWN_REF, "there is no ref that high in the last tree")
        if self._secrets.holds_any and _ASKS_FOR_PART.search(target.selector or ""):
            raise Refusal(
                ActionError.NOT_ALLOWED, "a task with secrets has no selectors with ^=, $= or *="
            )
        return {"ref": target.ref, "selector": target.selector}

    def _held_bits(self) -> int:
        return sum({press.modifier for press in self.held.values()})

    def _mouse(
        self,
        kind: str,
        x: float,
        y: float,
        button: str = "none",
        bits: int = 0,
        count: int = 1,
        held: bool = False,
    ) -> Call:
        self.pointer = (x, y)
        if kind == "mouseMoved" and button == "none" and self.button is not None:
            button, held = self.button, True
        params: Json = {"type": kind, "x": x, "y": y, "modifiers": bits, "button": button}
        if kind != "mouseMoved":
            params["clickCount"] = count
        if kind == "mousePressed" or held:
            params["buttons"] = _BUTTON_BITS[button]
        return "Input.dispatchMouseEvent", params

    def _chord(self, names: tuple[str, ...]) -> list[Call]:
        """Presses in order, releases in reverse; modifiers are always released."""
        presses = [_get_key(name) for name in names]
        bits, calls = self._held_bits(), []
        for press in presses:
            bits |= press.modifier
            calls.append(_key("keyDown", press, bits))
        for press in reversed(presses):
            bits &= ~press.modifier
            calls.append(_key("keyUp", press, bits))
        return calls


def describe_miss(struck: str) -> str:
    """In words for the agent; `struck` is what the press went to."""
    return f"the click struck {struck} instead: the element moved when the pointer came"


def _accept_reply(answer: Any) -> dict[str, Any]:
    """The walker's answer, or the refusal it carries."""
    result: dict[str, Any] = answer or {}
    if "error" in result:
        raise Refusal(ActionError(result["error"]), result["message"])
    return result


def _read_traits(reply: dict[str, Any]) -> ElementTraits | None:
    """What the walker tells of the element; its texts are the page's, and only kept."""
    try:
        return ElementTraits.model_validate(reply.get("traits"))
    except ValidationError:
        return None


def _digits(value: float) -> str:
    """As a person types a number: all of its digits, no `.0`, no exponent."""
    return f"{value:.0f}" if value.is_integer() else f"{Decimal(repr(value)):f}"


def _get_key(name: str) -> KeyPress:
    press = key_press(name)
    if press is None:
        raise Refusal(ActionError.BAD_VALUE, f"unknown key {name[:30]!r}")
    return press


def _key(kind: str, press: KeyPress, bits: int) -> Call:
    params: Json = {"type": kind, "modifiers": bits, **press.params}
    types = press.text and not bits & ~MODIFIER_BITS["shift"]
    if kind == "keyDown" and types:
        params["text"] = press.text
    if kind == "keyDown" and bits == MODIFIER_BITS["ctrl"] and press.key in ("a", "A"):
        params["commands"] = ["selectAll"]
    return "Input.dispatchKeyEvent", params
