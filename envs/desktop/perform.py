"""Carries out one action on the desktop. What the agent did wrong is a failed result.

Input is real (XTEST). An element of the tree is looked up again before it is touched: if its role
or name changed, or it is gone or hidden, the action is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

from envs.contract.actions import (
    ActionError,
    ActionResult,
    Click,
    Clipboard,
    Drag,
    Key,
    KeyDown,
    KeyUp,
    Launch,
    Mark,
    MouseDown,
    MouseUp,
    Move,
    Navigate,
    Scroll,
    SetValue,
    SimpleAction,
    Target,
    Type,
    Wait,
    Window,
    Zoom,
)
from envs.contract.refusal import Refusal
from envs.contract.tools import ToolError
from envs.desktop import clipboard, windows
from envs.desktop.a11y import ACTION, EDITABLE, AccessError, Node
from envs.desktop.desktop import Desktop
from envs.desktop.input import UnknownKey, keysym_named
from envs.desktop.tree import Element, clean

NOTCH_PX = 50
"""What one notch of the wheel is taken to scroll."""
PAGE_NOTCHES = 10
MAX_NOTCHES = 200
DRAG_STEPS = 8
SETTLE_S = 1.0
LAUNCH_S = 9.0
LAUNCH_SETTLE_S = 4.0
LAUNCH_QUIET_S = 0.25
"""A program that has just shown its window still loads: it draws in several goes."""
A11Y_S = 3.0
Point = tuple[float, float]


class Performer:
    """`elements` are those of the last tree, by their numbers from 1."""

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop
        self.elements: Sequence[Element] = ()
        self.tree = 0
        self._at: Point | None = None
        """Where the action of now happens."""

    async def perform(self, action: SimpleAction) -> ActionResult:
        """Carries out one action; what the policy did wrong is a failed result."""
        self._at = None
        try:
            result = await self._perform(action)
            return result.model_copy(update={"at": self._at})
        except Refusal as refusal:
            return refusal.result
        except ToolError as error:
            return ActionResult.failure(error.error, str(error))
        except UnknownKey as error:
            return ActionResult.failure(ActionError.BAD_VALUE, str(error))
        except AccessError as error:
            return ActionResult.failure(ActionError.NOT_INTERACTABLE, str(error)[:200])

    async def _perform(self, action: SimpleAction) -> ActionResult:
        desktop, x, keyboard = self._desktop, self._desktop.x, self._desktop.input
        match action:
            case Click(target=target, button=button, count=count, modifiers=modifiers):
                element = self._element(target)
                if element is not None and element.window is not None:
                    number = element.window
                    await x.run(lambda: windows.focus(desktop.x11, number))
                    return ActionResult.success()
                await self._go(target)
                held = [keysym_named(name) for name in modifiers]

                def click() -> None:
                    with keyboard.holding(held):
                        keyboard.click(button, count)

                await x.run(click)
            case Move(target=target):
                await self._go(target)
            case MouseDown(target=target, button=button):
                await self._go(target)
                await x.run(lambda: keyboard.set_button(button, True))
            case MouseUp(target=target, button=button):
                await self._go(target)
                await x.run(lambda: keyboard.set_button(button, False))
            case Drag():
                await self._drag(action)
            case Scroll():
                await self._scroll(action)
            case Type():
                await self._type(action)
            case Key(keys=keys, repeat=repeat):
                chord = [keysym_named(name) for name in keys]

                def press() -> None:
                    for _ in range(repeat):
                        keyboard.press_chord(chord)

                await x.run(press)
            case KeyDown(key=name):
                keysym = keysym_named(name)
                await x.run(lambda: keyboard.set_key(keysym, True))
            case KeyUp(key=name):
                keysym = keysym_named(name)
                await x.run(lambda: keyboard.set_key(keysym, False))
            case SetValue():
                await self._set_value(action)
            case Window(op=op, window=named):
                await self._change_window(op, named)
            case Launch(app=app, args=args):
                await self._launch(app, args)
            case Navigate(url=url):
                await self._launch("chromium", (url,))
            case Clipboard(op="write", text=text):
                await clipboard.write(desktop.processes, text or "")
            case Clipboard():
                return ActionResult.success(await clipboard.read(desktop.processes))
            case Wait(ms=ms):
                await asyncio.sleep(ms / 1000)
            # What they show, the host draws on the step's picture (envs/host/lens.py).
            case Zoom() | Mark():
                pass
            case _:
                raise Refusal(
                    ActionError.UNSUPPORTED,
                    f"a desktop has no {action.type}; use keys or the mouse",
                )
        return ActionResult.success()

    def _element(self, target: Target | None) -> Element | None:
        """Raises Refusal(UNKNOWN_REF or STALE_REF)."""
        if target is None or target.ref is None:
            return None
        if target.tree is not None and target.tree != self.tree:
            raise Refusal(ActionError.STALE_REF, f"#{target.ref} is of an older tree; look again")
        if target.ref > len(self.elements):
            raise Refusal(ActionError.UNKNOWN_REF, f"there is no #{target.ref} in the last tree")
        return self.elements[target.ref - 1]

    async def _go(self, target: Target | None) -> None:
        """Moves the pointer to the target; None leaves it."""
        if target is not None:
            self._at = where = await self._point(target)
            await self._desktop.x.run(lambda: self._desktop.input.move(*where))

    async def _point(self, target: Target) -> Point:
        if target.selector is not None:
            raise Refusal(ActionError.UNSUPPORTED, "a desktop has no selectors; give a ref or x, y")
        element = self._element(target)
        if element is not None:
            return await self._centre(element, target.ref or 0)
        width, height = self._desktop.width, self._desktop.height
        x, y = target.in_pixels(width, height)
        if not (0 <= x < width and 0 <= y < height):
            raise Refusal(
                ActionError.BAD_VALUE,
                f"({target.x:g}, {target.y:g}) is outside the screen of {width} x {height}",
            )
        return x, y

    async def _centre(self, element: Element, ref: int) -> Point:
        """Middle of the element's visible part, after a look whether it still is what it was."""
        node = element.node
        if node is None:
            raise Refusal(ActionError.NOT_INTERACTABLE, f"#{ref} is a window; focus it instead")
        box = await self._look_up_box(node, element, ref)
        x, y = box[0] + node.shift[0], box[1] + node.shift[1]
        left, top = max(x, 0), max(y, 0)
        right = min(x + box[2], self._desktop.width)
        bottom = min(y + box[3], self._desktop.height)
        if right <= left or bottom <= top:
            raise Refusal(
                ActionError.NOT_INTERACTABLE, f"#{ref} is outside the screen; scroll to it"
            )
        return (left + right) / 2, (top + bottom) / 2

    async def _look_up_box(
        self, node: Node, element: Element, ref: int
    ) -> tuple[int, int, int, int]:
        a11y, at = self._desktop.a11y, node.address
        try:
            async with asyncio.timeout(A11Y_S):
                states, role, name, box = await asyncio.gather(
                    a11y.states(at), a11y.role(at), a11y.name(at), a11y.box(at)
                )
        except (AccessError, TimeoutError) as error:
            raise Refusal(
                ActionError.STALE_REF, f"#{ref} ({element.role} {element.name}) is gone"
            ) from error
        cell = node.role == "table cell" and not node.box[2]
        if role != node.role or (not cell and clean(name) != clean(node.name)):
            raise Refusal(
                ActionError.STALE_REF,
                f"#{ref} was {element.role} {element.name} and is now {role} {clean(name)}",
            )
        if "showing" not in states:
            raise Refusal(ActionError.STALE_REF, f"#{ref} ({element.name}) is not shown any more")
        return box

    async def _drag(self, action: Drag) -> None:
        points = [await self._point(target) for target in action.path]
        held = [keysym_named(name) for name in action.modifiers]
        keyboard = self._desktop.input

        def drag() -> None:
            keyboard.move(*points[0])
            with keyboard.holding(held):
                keyboard.set_button(action.button, True)
                try:
                    for (x0, y0), (x1, y1) in pairwise(points):
                        for step in range(1, DRAG_STEPS + 1):
                            part = step / DRAG_STEPS
                            keyboard.move(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part)
                finally:
                    keyboard.set_button(action.button, False)

        await self._desktop.x.run(drag)

    async def _scroll(self, action: Scroll) -> None:
        await self._go(action.target)
        size = {"px": 1 / NOTCH_PX, "notch": 1.0, "page": float(PAGE_NOTCHES)}[action.unit]

        def notches(amount: float) -> int:
            if not amount:
                return 0
            count = max(1, min(MAX_NOTCHES, round(abs(amount) * size)))
            return count if amount > 0 else -count

        await self._desktop.x.run(
            lambda: self._desktop.input.scroll(notches(action.dx), notches(action.dy))
        )

    async def _type(self, action: Type) -> None:
        if action.target is not None:
            await self._go(action.target)
            await self._desktop.x.run(lambda: self._desktop.input.click("left", 1))
            await self._desktop.settle(SETTLE_S)
        if action.clear:
            select_all = [keysym_named("ctrl"), keysym_named("a")]
            await self._desktop.x.run(lambda: self._desktop.input.press_chord(select_all))
        await self._type_text(action.text)
        if action.submit:
            await self._desktop.settle(SETTLE_S)
            enter = keysym_named("enter")
            await self._desktop.x.run(lambda: self._desktop.input.press_chord([enter]))

    async def _type_text(self, text: str) -> None:
        runs = self._desktop.input.type_text(text)

        def next_run() -> bool:
            return next(runs, "end") != "end"

        while await self._desktop.x.run(next_run):
            await self._desktop.settle(SETTLE_S)

    async def _set_value(self, action: SetValue) -> None:
        """As a person would: a click where a state differs, the field's whole text anew."""
        element = self._element(action.target)
        if element is None or element.node is None:
            raise Refusal(ActionError.UNSUPPORTED, "set_value needs the number of an element")
        ref, node = action.target.ref or 0, element.node
        if isinstance(action.value, bool):
            states = await self._desktop.a11y.states(node.address)
            if bool(states & {"checked", "pressed", "selected"}) != action.value:
                await self.perform_click(action.target)
            return
        text = action.value if isinstance(action.value, str) else f"{action.value:g}"
        if element.role == "select":
            await self._choose(node, element, ref, text)
            return
        await self._look_up_box(node, element, ref)
        if element.role == "box":
            try:
                if await self._desktop.a11y.call(
                    node.address, EDITABLE, "SetTextContents", "s", text
                ):
                    return
            except AccessError:
                pass
        await self._type(Type(text=text, target=action.target, clear=True))

    async def perform_click(self, target: Target) -> None:
        """Clicks a point or an element."""
        result = await self._perform(Click(target=target))
        if not result.ok:
            raise Refusal(result.error or ActionError.NOT_INTERACTABLE, result.message)

    async def _choose(self, node: Node, element: Element, ref: int, label: str) -> None:
        """Opens the drop-down and clicks the option."""
        await self.perform_click(Target(ref=ref))
        await self._desktop.settle(SETTLE_S)
        option = await self._find_option(node, label)
        if option is None:
            escape = keysym_named("escape")
            await self._desktop.x.run(lambda: self._desktop.input.press_chord([escape]))
            raise Refusal(
                ActionError.BAD_VALUE, f"#{ref} ({element.name}) has no option {label[:60]!r}"
            )
        await self._desktop.a11y.call(option.address, ACTION, "DoAction", "i", 0)

    async def _find_option(self, node: Node, label: str) -> Node | None:
        a11y = self._desktop.a11y
        pending = [node.address]
        for _ in range(200):
            if not pending:
                return None
            at = pending.pop(0)
            for child in (await a11y.children(at))[:200]:
                role, name = await asyncio.gather(a11y.role(child), a11y.name(child))
                if name == label and role in ("menu item", "list item", "table cell"):
                    return Node(child, role, frozenset(), name)
                pending.append(child)
        return None

    async def _change_window(self, op: str, named: str) -> None:
        matches = windows.find_window(await self._desktop.windows(), named)
        if not matches:
            titles = ", ".join(window.title for window in await self._desktop.windows()) or "none"
            raise Refusal(
                ActionError.NOT_FOUND, f"no window {named[:60]!r}; there are: {titles}"[:300]
            )
        window, x11 = matches[-1].id, self._desktop.x11

        def change() -> None:
            if op == "focus":
                windows.focus(x11, window)
            elif op == "close":
                windows.close(x11, window)
            elif op == "minimize":
                windows.minimize(x11, window)
            else:
                windows.set_maximized(x11, window, op == "maximize")
                windows.focus(x11, window)

        await self._desktop.x.run(change)

    async def _launch(self, app: str, args: Sequence[str]) -> None:
        """Until a window is new, or has a new title, and is in front and quiet."""
        before = {window.id: window.title for window in await self._desktop.windows()}
        await self._desktop.launch(app, args)
        deadline = asyncio.get_running_loop().time() + LAUNCH_S
        changed = False
        while asyncio.get_running_loop().time() < deadline:
            shown = await self._desktop.windows()
            new = [window for window in shown if before.get(window.id) != window.title]
            changed |= bool(new)
            if any(window.active for window in new):
                await self._desktop.settle(LAUNCH_SETTLE_S, LAUNCH_QUIET_S)
                return
            await asyncio.sleep(0.03)
        if not before and not changed:
            raise Refusal(ActionError.TOOL_FAILED, f"{app[:40]} showed no window in {LAUNCH_S:g} s")
