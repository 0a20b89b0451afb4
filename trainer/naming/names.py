"""Made-up words for people, places and things, so that none is known by heart."""

from __future__ import annotations

import random

from agent_server.policy.renaming import make_word


def sample_names(rng: random.Random, count: int) -> list[str]:
    """So many different names."""
    names: dict[str, None] = {}
    while len(names) < count:
        names[make_word(rng)] = None
    return list(names)
