"""Resets of applications of others: into a world that is kept, and into one that has to be made.

Part of `deskhand bench gyms`, one session, one at a time. A reset includes the first page.
"""

from __future__ import annotations

from benchmarks.figures import Figure, number, percentiles
from envs.client import HostClient
from envs.contract.observations import Observe
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.gym import ApplicationOwned
from envs.gyms.server.registry import web_gyms

OBSERVE = Observe(tree_chars=12_000, tree_options=30)
WORLDS, RESETS = 8, 4
"""Seeds, and resets of each in turn: the first makes the world."""
FIRST_SEED = 900


async def measure(host: HostClient) -> dict[str, Figure]:
    """Figures of all applications that are installed; empty without one."""
    gyms = [gym for gym in web_gyms().values() if isinstance(gym, ApplicationOwned)]
    kept: list[float] = []
    made: list[float] = []
    session = await host.open()
    for gym in gyms:
        assert isinstance(gym, AppGym)
        for round_number in range(RESETS):
            for seed in range(FIRST_SEED, FIRST_SEED + WORLDS):
                template = gym.templates[seed % len(gym.templates)]
                reply = await session.reset(gym.make_task(template, seed), OBSERVE)
                (made if round_number == 0 else kept).append(reply.timings_ms["reset"])
    await session.close()
    if not gyms:
        return {}
    return {
        "realapps.reset_ms": percentiles(kept, "ms"),
        "realapps.new_world_ms": percentiles(made, "ms"),
        "realapps.apps": number(len(gyms), "apps"),
        "realapps.templates": number(
            sum(len(gym.templates) for gym in gyms if isinstance(gym, AppGym)), "templates"
        ),
    }
