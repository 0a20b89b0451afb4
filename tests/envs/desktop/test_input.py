"""Typed text reaches programs as it was written."""

from __future__ import annotations

import pytest

from envs.contract.actions import Key, Launch, Type
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop


async def test_typed_text_of_any_script_arrives(user: DesktopUser) -> None:
    text = "Hällo €5 <b> 日本語 🙂 ~^`"
    assert (await user.act(Launch(app="editor"))).ok
    tree = await user.see(Type(text=text))
    assert text in tree
    await user.act(Key(keys=("ctrl", "a")), Key(keys=("ctrl", "c")))
