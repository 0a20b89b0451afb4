"""Layouts and themes."""

from __future__ import annotations

import random

from envs.gyms.kit.appearance import LAYOUTS, THEMES, Appearance


def test_every_layout_and_theme_is_sampled() -> None:
    rng = random.Random(1)
    sampled = {Appearance.sample(rng) for _ in range(300)}
    assert sampled == {Appearance(a, b) for a in range(LAYOUTS) for b in range(THEMES)}


def test_the_layout_sets_the_page_size() -> None:
    assert [Appearance(layout, 0).page_size for layout in range(LAYOUTS)] == [10, 12, 8]
