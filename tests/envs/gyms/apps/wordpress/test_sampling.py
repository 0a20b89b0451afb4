"""What templates choose on the site."""

from __future__ import annotations

import random

from envs.gyms.apps.wordpress.sampling import choose_post, choose_stranger, site_of
from envs.gyms.kit.company import get_company


def test_nobody_has_commented_on_a_chosen_post_and_a_stranger_has_no_role() -> None:
    world = get_company(3)
    site = site_of(world)
    for draw in range(20):
        rng = random.Random(draw)
        assert choose_post(world, rng) not in {comment.post for comment in site.comments}
        assert choose_stranger(world, rng).name not in {world.user.name, *site.roles}
