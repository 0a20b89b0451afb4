"""The X connection of a desktop: properties, client messages, waiting until the screen is quiet.

Guarantees: one thread at a time uses it (`XThread`); `settle` waits for events, never for a fixed
time: the focused window has answered a ping that was sent after the input (EWMH _NET_WM_PING, so
its event loop has read that input), and nothing was drawn for a moment since (X DAMAGE);
`limit_s` bounds it.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import select
import struct
import time
from collections.abc import Callable
from typing import Any, TypeVar

import xcffib
import xcffib.damage
import xcffib.xproto as xproto

Result = TypeVar("Result")

QUIET_S = 0.008
"""After a program has drawn: it draws in one go, and what follows comes at once."""
FRAME_S = 0.017
"""Before it has: toolkits draw in frames, 60 a second at most."""
QUIET_UNANSWERED_S = 0.04
"""For windows that answer no ping, drawing is all there is to go by."""
X_TIMEOUT_S = 10.0
CALM_ANSWERS, ASK_EVERY_S = 8, 0.01
"""A program that starts reads its events in between; one that has started draws nothing then."""


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
        self._drain()
        answered, serial, window_class = self._ping()
        # Before the first drawing a toolkit may still wait for its frame; a window that answers no
        # ping gives no other sign, so it gets longer.
        first_s = max(quiet_s, QUIET_UNANSWERED_S if answered else FRAME_S)
        changed, has_drawn = time.monotonic(), False
        while True:
            now = time.monotonic()
            wait = deadline - now
            if answered:
                quiet_until = changed + (quiet_s if has_drawn else first_s)
                wait = min(wait, quiet_until - now)
                if quiet_until <= now:
                    return True
            if wait <= 0:
                # The next settling does not wait for it again: it would take the whole limit each
                # time.
                if not answered:
                    self._mute.add(window_class)
                return False
            drawn, ponged = self._wait(wait, serial)
            # The quiet time begins with the answer: only from there on has the input been read.
            if ponged and not answered:
                answered, changed = True, time.monotonic()
            elif drawn:
                # What is drawn before the answer belongs to an earlier input.
                changed, has_drawn = time.monotonic(), answered

    def settle_start(self, limit_s: float, quiet_s: float) -> bool:
        """For a program that has just shown its window, which is empty for a while: until it has
        answered several pings in a row and drawn nothing meanwhile. One that answers none has
        drawn nothing for `quiet_s`. False when it was still busy after `limit_s`."""
        deadline = time.monotonic() + limit_s
        self._drain()
        calm = 0
        while calm < CALM_ANSWERS:
            answered, serial, window_class = self._ping()
            if answered:
                return self.settle(deadline - time.monotonic(), quiet_s)
            drawn, ask_again = False, time.monotonic() + ASK_EVERY_S
            while not answered or time.monotonic() < ask_again:
                if time.monotonic() >= deadline:
                    if not answered:
                        self._mute.add(window_class)
                    return False
                until = ask_again if answered else deadline
                has_drawn, ponged = self._wait(max(0.0, until - time.monotonic()), serial)
                drawn, answered = drawn or has_drawn, answered or ponged
            calm = 0 if drawn else calm + 1
        return True

    def _ping(self) -> tuple[bool, int, str]:
        """Whether there is nobody to wait for, the ping's number, and the class of who is asked."""
        window = self.active_window()
        if window is None or self.atom("_NET_WM_PING") not in self.values(window, "WM_PROTOCOLS"):
            return True, 0, ""
        # The number tells this ping's answer from one to an older ping, which comes late.
        self._pings = self._pings % 0x7FFFFFFF + 1
        protocols = [self.atom("_NET_WM_PING"), self._pings, window]
        self.send_message(window, "WM_PROTOCOLS", protocols, to=window)
        window_class = self.text(window, "WM_CLASS")
        return window_class in self._mute, self._pings, window_class

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
