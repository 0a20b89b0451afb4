"""Gyms by name."""

from __future__ import annotations

import pytest

from envs.gyms.kit.gym import AppGym
from envs.gyms.server.registry import add_web_gym, get_web_gym, site_tools, web_gyms


def test_the_shop_comes_first() -> None:
    names = list(web_gyms())
    assert names[0] == "shop"
    assert names[1:] == sorted(names[1:])
    assert get_web_gym("shop") is web_gyms()["shop"]


def test_an_unknown_gym_is_refused_with_the_known_names() -> None:
    with pytest.raises(KeyError, match="there are: shop, "):
        get_web_gym("bank")
    with pytest.raises(KeyError, match=r"no web gym 'calender' \(did you mean calendar\?\)"):
        get_web_gym("calender")


def test_names_of_site_tools_are_unique() -> None:
    names = [schema["name"] for schema in site_tools()]
    assert len(set(names)) == len(names) > 10


def test_a_program_adds_a_gym_but_never_replaces_one() -> None:
    gym: AppGym[object] = AppGym("ledger", (), ())
    try:
        add_web_gym(gym)
        add_web_gym(gym)
        assert get_web_gym("ledger") is gym
        with pytest.raises(ValueError, match="'ledger' already"):
            add_web_gym(AppGym("ledger", (), ()))
    finally:
        del web_gyms()["ledger"]
