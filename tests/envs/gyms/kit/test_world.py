"""Companies and catalogues are worlds."""

from __future__ import annotations

from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.kit.company import get_company
from envs.gyms.kit.world import World


def test_chance_depends_on_seed_and_purpose_alone() -> None:
    worlds: list[World] = [get_company(3), get_catalogue(3)]
    values = {world.rng("draw:x").random() for world in worlds}
    assert len(values) == 1
    assert values != {worlds[0].rng("draw:y").random()}
    assert [world.seed for world in worlds] == [3, 3]
