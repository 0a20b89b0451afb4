"""One page of screenshots: each of the kit's apps in each layout and theme, taken in Chromium."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from envs.actions import Action, Navigate
from envs.gyms.kit.company import company
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.look import LAYOUTS, THEMES
from envs.gyms.registry import web_gyms
from envs.observations import Observe, ScreenshotRequest
from envs.providers.local import local_host

SHOT = Observe(tree=False, screenshot=ScreenshotRequest(format="jpeg", scale=0.4))
MOST_SEEDS = 2000


def seeds_of_looks() -> dict[tuple[int, int], int]:
    """The first seed of each layout and theme."""
    found: dict[tuple[int, int], int] = {}
    for seed in range(MOST_SEEDS):
        look = company(seed).look
        found.setdefault((look.layout, look.theme), seed)
        if len(found) == LAYOUTS * THEMES:
            break
    return dict(sorted(found.items()))


async def write_gallery(path: Path, names: Sequence[str] | None = None) -> int:
    """Writes the page; how many pictures it has."""
    gyms = [
        gym
        for gym in web_gyms().values()
        if isinstance(gym, AppGym) and (names is None or gym.name in names)
    ]
    rows: list[Markup] = []
    count = 0
    async with local_host(1) as host:
        session = await host.open()
        for gym in gyms:
            rows.append(Markup("<h2>{}</h2>").format(gym.name))
            for (layout, theme), seed in seeds_of_looks().items():
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
                    rows.append(_figure(shot.data, label))
                    count += 1
        await session.close()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Gyms</title><style>"
        "body{font:13px system-ui;margin:16px}figure{display:inline-block;margin:6px}"
        "img{border:1px solid #ccc;display:block}</style><h1>Gyms</h1>" + Markup("").join(rows)
    )
    return count


def _figure(data: str, label: str) -> Markup:
    return Markup(
        '<figure><img src="data:image/jpeg;base64,{}" alt="{}"><figcaption>{}</figcaption></figure>'
    ).format(data, label, label)
