"""Keys that an evaluator presses."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from envs.osworld.inside.getters.key_presses import press_keys


async def test_an_unknown_key_action_is_an_error() -> None:
    desktop: Any = SimpleNamespace()
    with pytest.raises(ValueError, match="there is no key action 'click'"):
        await press_keys(desktop, [{"type": "click", "param": "enter"}])


async def test_without_actions_nothing_is_pressed() -> None:
    desktop: Any = SimpleNamespace()
    await press_keys(desktop, [])
