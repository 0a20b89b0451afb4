"""Actions that cannot be carried out are refused in words."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from envs.contract.actions import ActionError, Click, Drag, Key, Launch, Target, Tool, Type, Window
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop


async def test_absurd_coordinates_are_refused_with_the_screen_s_size(user: DesktopUser) -> None:
    result = await user.act(Click(target=Target(x=1e9, y=-5)))
    assert result.error is ActionError.BAD_VALUE
    assert "1280 x 720" in result.message
    path = (Target(x=1, y=1), Target(x=99_999, y=1))
    assert (await user.act(Drag(path=path))).error is ActionError.BAD_VALUE


def test_a_megabyte_of_text_is_refused_before_it_is_sent() -> None:
    with pytest.raises(ValidationError, match="at most 20000"):
        Type(text="x" * 1_000_000)


async def test_unknown_keys_windows_tools_and_applications_are_named(user: DesktopUser) -> None:
    assert "no key 'hyper'" in (await user.act(Key(keys=("hyper",)))).message
    assert "no window 'Nope'" in (await user.act(Window(op="focus", window="Nope"))).message
    assert (await user.act(Tool(name="calc.fly"))).error is ActionError.UNKNOWN_TOOL
    assert "there are: calc" in (await user.act(Launch(app="minesweeper"))).message
