"""What templates choose in the tracker."""

from __future__ import annotations

import random

from envs.gyms.apps.trac.sampling import choose_login, choose_ticket
from envs.gyms.kit.company import get_company
from envs.gyms.real.logins import login_of


def test_a_ticket_is_open_unless_asked_otherwise_and_the_user_is_nobody_to_choose() -> None:
    world = get_company(3)
    for draw in range(20):
        rng = random.Random(draw)
        assert choose_ticket(world, rng).status != "closed"
        assert choose_ticket(world, rng, "closed").resolution
        ticket = choose_ticket(world, rng)
        assert choose_login(world, rng, ticket.owner) not in (ticket.owner, login_of(world.user))
