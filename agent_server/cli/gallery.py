"""One page of screenshots: each of the kit's apps in each layout and theme, taken in Chromium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_server.html.page import page_templates
from envs.contract.actions import Action, Navigate
from envs.contract.observations import Observe, ScreenshotRequest
from envs.gyms.kit.app import App
from envs.gyms.kit.appearance import LAYOUTS, THEMES
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.registry import web_gyms
from envs.providers.local import local_host

SHOT = Observe(tree=False, screenshot=ScreenshotRequest(format="jpeg", scale=0.4))
MAX_SEEDS = 2000


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot as a data URL, and what it shows."""

    url: str
    label: str


def find_seeds_of_appearances(app: App[Any]) -> dict[tuple[int, int], int]:
    """The first seed of each layout and theme."""
    seeds: dict[tuple[int, int], int] = {}
    for seed in range(MAX_SEEDS):
        appearance = app.make_world(seed).appearance
        seeds.setdefault((appearance.layout, appearance.theme), seed)
        if len(seeds) == LAYOUTS * THEMES:
            break
    return dict(sorted(seeds.items()))


async def write_gallery(path: Path, names: Sequence[str] | None = None) -> int:
    """Writes the page; how many pictures it has."""
    gyms = [
        gym
        for gym in web_gyms().values()
        if isinstance(gym, AppGym) and (names is None or gym.name in names)
    ]
    sections: dict[str, list[Picture]] = {}
    async with local_host(1) as host:
        session = await host.open()
        for gym in gyms:
            pictures = sections.setdefault(gym.name, [])
            for (layout, theme), seed in find_seeds_of_appearances(gym.apps[0]).items():
                task = gym.make_task(gym.templates[seed % len(gym.templates)], seed)
                reply = await session.reset(task, SHOT)
                shots = [reply.observation.screenshot]
                _, place = gym.apps[0].nav[1 + seed % (len(gym.apps[0].nav) - 1)]
                go: list[Action] = [Navigate(url=f"/{gym.apps[0].name}{place}")]
                shots.append((await session.step(go, SHOT)).observation.screenshot)
                for shot in shots:
                    if shot is None:
                        raise RuntimeError(f"{task.id}: the host sent no picture")
                    label = f"{gym.name}, layout {layout}, theme {theme}, seed {seed}"
                    pictures.append(Picture(f"data:image/jpeg;base64,{shot.data}", label))
        await session.close()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render_gallery(sections))
    return sum(map(len, sections.values()))


def render_gallery(sections: Mapping[str, Sequence[Picture]]) -> str:
    """The page; `sections`: the pictures of each gym by its name."""
    template = page_templates(Path(__file__).parent).get_template("gallery.html")
    return template.render(title="Gyms", sections=sections)
