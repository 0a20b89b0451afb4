"""Keys that an evaluator presses, in OSWorld's words.

{"type": "hotkey", "param": ["ctrl", "shift", "p"]}
{"type": "typewrite", "param": "OpenProject"}
{"type": "press", "param": "enter"}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from envs.desktop.input import keysym_named

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

SETTLE_S = 2.0


async def press_keys(desktop: Desktop, trajectory: Sequence[Mapping[str, Any]]) -> None:
    """Presses the keys, waiting for the screen to settle after each. Raises ValueError for another
    type."""
    for action in trajectory:
        kind, value = action["type"], action["param"]
        if kind == "typewrite":
            await _type(desktop, value)
        elif kind in ("hotkey", "press"):
            names = [value] if isinstance(value, str) else value
            keys = [keysym_named(name) for name in names]
            await desktop.x.run(partial(desktop.input.press_chord, keys))
        else:
            raise ValueError(f"there is no key action {kind!r}")
        await desktop.settle(SETTLE_S)


async def _type(desktop: Desktop, text: str) -> None:
    run = desktop.input.type_text(text)
    while await desktop.x.run(lambda: next(run, True)) is None:
        await desktop.settle(SETTLE_S)
