from __future__ import annotations

import pytest

from envs.gyms.server.registry import web_gyms
from tasksets.registry import get_gym, gyms


def test_all_web_gyms_and_the_desktop_are_there_the_shop_first() -> None:
    names = list(gyms())
    assert names[0] == "shop"
    assert names[1:] == sorted(names[1:])
    assert set(names) == {*web_gyms(), "desktop"}
    assert all(get_gym(name).name == name for name in names)


def test_an_unknown_gym_is_named_with_those_there_are() -> None:
    with pytest.raises(KeyError, match=r"'garden'.*calendar.*desktop"):
        get_gym("garden")
