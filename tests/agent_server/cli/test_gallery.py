"""The gallery shows each layout and theme once, on a page whose texts are escaped."""

from __future__ import annotations

from agent_server.cli.gallery import Picture, find_seeds_of_appearances, render_gallery
from envs.gyms.kit.appearance import LAYOUTS, THEMES
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.registry import get_web_gym


def test_every_layout_and_theme_has_a_seed() -> None:
    gym = get_web_gym("billing")
    assert isinstance(gym, AppGym)
    seeds = find_seeds_of_appearances(gym.apps[0])
    assert len(seeds) == LAYOUTS * THEMES
    for appearance, seed in seeds.items():
        look = gym.apps[0].make_world(seed).appearance
        assert (look.layout, look.theme) == appearance


def test_a_picture_has_its_escaped_label() -> None:
    page = render_gallery({"mail": [Picture("data:image/jpeg;base64,AAAA", "<b>mail</b>")]})
    assert "<h2>mail</h2>" in page
    assert 'src="data:image/jpeg;base64,AAAA"' in page
    assert "<b>" not in page
