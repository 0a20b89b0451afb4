"""The X connection of a desktop: properties, client messages, waiting until the screen is quiet.

Guarantees: one thread at a time uses it (`XThread`); `settle` waits for events, never for a fixed
time: the focused window has answered a ping that was sent after the input (EWMH _NET_WM_PING, so
its event loop has read that input), and nothing was drawn for longer than a frame (X DAMAGE);
`limit_s` bounds it.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import select
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import xcffib
import xcffib.damage
import xcffib.xproto as xproto

Result = TypeVar("Result")

QUIET_S = 0.025
"""Toolkits draw in frames, 60 a second at most, and the answer to a click is often in the second.
So nothing is drawn for one and a half frames: the timer of a frame may be late."""
CONFIRMATIONS = 2
"""Pings answered with nothing drawn meanwhile: a frame that has begun comes before the answer."""
ANIMATED_S, ANIMATED_QUIET_S = 0.25, 0.008
"""What draws every frame for so long is an animation: a pause between its frames is enough."""
STILL_ANIMATED_S = 0.05
"""So long where one was there before the input: the frames that show what the input changed."""
QUIET_UNANSWERED_S = 0.04
"""For windows that answer no ping, drawing is all there is to go by."""
X_TIMEOUT_S = 10.0
CALM_ANSWERS, ASK_EVERY_S = 8, 0.01
"""A program that starts reads its events in between; one that has started draws nothing then."""


@dataclass(frozen=True, slots=True)
class PingResult:
    """What came of a ping: whether there was someone to answer, who did, and what was drawn
    meanwhile."""

    someone: bool = True
    answered: bool = True
    drawn: bool = False


class X11:
    """Raises xcffib.ConnectionException when the display is gone."""

    def __init__(self, display: str) -> None:
        self.connection: Any = xcffib.connect(display=display)
        setup = self.connection.get_setup()
        self.screen = setup.roots[0]
        self.root: int = self.screen.root
        self._atoms: dict[str, int] = {}
        self._damage = self.connection(xcffib.damage.key)
        self._damage.QueryVersion(1, 1).reply()
        self._damaged: int = self.connection.generate_id()
        # NonEmpty reports the first drawing only, until `Subtract` empties the region: a busy
        # window does not flood the connection.
        self._damage.Create(self._damaged, self.root, xcffib.damage.ReportLevel.NonEmpty)
        self.connection.core.ChangeWindowAttributes(
            self.root, xproto.CW.EventMask, [xproto.EventMask.SubstructureNotify]
        )
        self.drawn_at = 0.0
        """When something was drawn last, as far as it was waited for (`time.monotonic`)."""
        self.is_animated = False
        """Whether it was drawn all the time when it was waited for last."""
        self._pings = 0
        self._mute: set[str] = set()
        """Classes of windows that say they answer pings, and did not."""
        self.flush()

    def flush(self) -> None:
        """Sends what is buffered to the X server."""
        self.connection.flush()

    def sync(self) -> None:
        """Until the server has done all that was asked."""
        # The server answers in order: a reply to any request means that all before it were done.
        self.connection.core.GetInputFocus().reply()

    def atom(self, name: str) -> int:
        """The X atom of a name."""
        if name not in self._atoms:
            self._atoms[name] = self.connection.core.InternAtom(False, len(name), name).reply().atom
        return self._atoms[name]

    def values(self, window: int, name: str) -> tuple[int, ...]:
        """A property's 32-bit values; empty when it is not set."""
        reply = self._property(window, name)
        if reply is None or reply.format != 32:
            return ()
        data = reply.value.buf()
        return struct.unpack(f"={len(data) // 4}I", data)

    def text(self, window: int, name: str) -> str:
        """A text property of a window."""
        reply = self._property(window, name)
        if reply is None or reply.format != 8:
            return ""
        text: str = bytes(reply.value.buf()).decode("utf-8", "replace")
        return text

    def _property(self, window: int, name: str) -> Any:
        try:
            reply = self.connection.core.GetProperty(
                False, window, self.atom(name), xproto.Atom.Any, 0, 1 << 16
            ).reply()
        # Windows come and go between listing them and asking about them.
        except xproto.WindowError:
            return None
        return reply if reply.value_len else None

    def send_message(self, window: int, name: str, data: list[int], to: int | None = None) -> None:
        """A client message; without `to` it goes to the window manager."""
        payload = xproto.ClientMessageData.synthetic(data + [0] * (5 - len(data)), "I" * 5)
        event = xproto.ClientMessageEvent.synthetic(32, window, self.atom(name), payload)
        mask = 0
        if to is None:
            mask = xproto.EventMask.SubstructureRedirect | xproto.EventMask.SubstructureNotify
        self.connection.core.SendEvent(False, self.root if to is None else to, mask, event.pack())
        self.flush()

    def active_window(self) -> int | None:
        """The id of the active window, if there is one."""
        ids = self.values(self.root, "_NET_ACTIVE_WINDOW")
        return ids[0] if ids and ids[0] else None

    def settle(self, limit_s: float, quiet_s: float = QUIET_S) -> bool:
        """False when it was still busy after `limit_s`."""
        deadline = time.monotonic() + limit_s
        was_animated = self.is_animated
        self._drain()
        ping = self._ping(deadline)
        if not ping.someone:
            quiet_s = max(quiet_s, QUIET_UNANSWERED_S)
        # What was drawn before the answer belongs to an earlier input.
        since = time.monotonic()
        patience_s = STILL_ANIMATED_S if was_animated else ANIMATED_S
        if was_animated:
            # No pause may come at all, and a later picture shows no more.
            deadline = min(deadline, since + 2 * patience_s)
        while ping.answered and self._wait_quiet(since + patience_s, quiet_s, deadline):
            if was_animated and self.is_animated:
                return True
            drawn = False
            for _ in range(CONFIRMATIONS):
                ping = self._ping(deadline)
                drawn |= ping.drawn
            if not drawn:
                return ping.answered
            self.is_animated = time.monotonic() - since > patience_s
        return False

    def expect_input(self) -> None:
        """Looks whether an animation is still there. After the input, what the input changes would
        look the same."""
        self._drain()
        self.is_animated = self._wait(QUIET_S, 0)[0]

    def _wait_quiet(self, patient_until: float, quiet_s: float, deadline: float) -> bool:
        """Until nothing was drawn for `quiet_s`, or for a pause of an animation. False at the
        deadline."""
        begun = changed = time.monotonic()
        while True:
            now = time.monotonic()
            is_animation = now > patient_until and quiet_s <= QUIET_UNANSWERED_S
            quiet_until = changed + (ANIMATED_QUIET_S if is_animation else quiet_s)
            if quiet_until <= now:
                self.is_animated = is_animation and changed > begun
                return True
            if deadline <= now:
                return False
            if self._wait(min(quiet_until, deadline) - now, 0)[0]:
                changed = time.monotonic()

    def settle_start(self, limit_s: float, quiet_s: float) -> bool:
        """For a program that has just shown its window, which is empty for a while: until it has
        answered several pings in a row and drawn nothing meanwhile. One that answers none has
        drawn nothing for `quiet_s`. False when it was still busy after `limit_s`."""
        deadline = time.monotonic() + limit_s
        self._drain()
        calm = 0
        while calm < CALM_ANSWERS:
            ask_again = time.monotonic() + ASK_EVERY_S
            ping = self._ping(deadline)
            if not ping.someone:
                return self.settle(deadline - time.monotonic(), quiet_s)
            drawn = ping.drawn
            while (pause_s := min(ask_again, deadline) - time.monotonic()) > 0:
                drawn |= self._wait(pause_s, 0)[0]
            if not ping.answered or time.monotonic() >= deadline:
                return False
            calm = 0 if drawn else calm + 1
        return True

    def _ping(self, deadline: float) -> PingResult:
        """Pings the window in front and waits for the answer; who gives none is not asked again."""
        window = self.active_window()
        if window is None or self.atom("_NET_WM_PING") not in self.values(window, "WM_PROTOCOLS"):
            return PingResult(someone=False)
        window_class = self.text(window, "WM_CLASS")
        # The number tells this ping's answer from one to an older ping, which comes late.
        self._pings = self._pings % 0x7FFFFFFF + 1
        protocols = [self.atom("_NET_WM_PING"), self._pings, window]
        self.send_message(window, "WM_PROTOCOLS", protocols, to=window)
        if window_class in self._mute:
            return PingResult(someone=False)
        drawn = False
        while (left_s := deadline - time.monotonic()) > 0:
            has_drawn, has_answered = self._wait(left_s, self._pings)
            drawn |= has_drawn
            if has_answered:
                return PingResult(drawn=drawn)
        # The next settling does not wait for it again: it would take the whole limit each time.
        self._mute.add(window_class)
        return PingResult(answered=False, drawn=drawn)

    def _wait(self, seconds: float, serial: int) -> tuple[bool, bool]:
        """Whether something was drawn, and whether ping `serial` came back, within `seconds`."""
        self.flush()
        # xcffib may have read events already: the descriptor would not show them.
        event = self.connection.poll_for_event()
        if event is None:
            select.select([self.connection.get_file_descriptor()], [], [], seconds)
            event = self.connection.poll_for_event()
        drawn = ponged = False
        while event is not None:
            if isinstance(event, xcffib.damage.NotifyEvent):
                drawn = True
            # A window answers by sending the ping back to the root window (EWMH).
            elif isinstance(event, xproto.ClientMessageEvent) and event.window == self.root:
                ponged |= self._answers(event, serial)
            event = self.connection.poll_for_event()
        if drawn:
            self.drawn_at = time.monotonic()
            self._damage.Subtract(self._damaged, 0, 0)
            self.flush()
        return drawn, ponged

    def _answers(self, event: Any, serial: int) -> bool:
        """Whether it answers ping `serial`; who answers any, however late, is not mute."""
        what, number, window = event.data.data32[:3]
        if what != self.atom("_NET_WM_PING"):
            return False
        if self._mute:
            self._mute.discard(self.text(window, "WM_CLASS"))
        return bool(number == serial)

    def _drain(self) -> None:
        # Twice: what the server reports until `sync` returns is still of the time before.
        self._wait(0, 0)
        self._damage.Subtract(self._damaged, 0, 0)
        self.sync()
        self._wait(0, 0)

    def close(self) -> None:
        """Closes the X connection."""
        self.connection.disconnect()


class XThread:
    """Runs blocking X work in one thread, bounded in time, so that the event loop never waits."""

    def __init__(self) -> None:
        self._pool = concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix="x11")

    async def run(self, work: Callable[[], Result], timeout_s: float = X_TIMEOUT_S) -> Result:
        """Raises TimeoutError when the display does not answer."""
        loop = asyncio.get_running_loop()
        # A thread cannot be cancelled: after a timeout it ends by itself, and later work waits
        # behind it.
        return await asyncio.wait_for(loop.run_in_executor(self._pool, work), timeout_s)

    def close(self) -> None:
        """Closes the X connection."""
        self._pool.shutdown(wait=False, cancel_futures=True)
