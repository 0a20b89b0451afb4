"""One page of screenshots, taken in Chromium: each of the kit's apps in each layout and theme,
generated apps of each family of markup, and the real applications that are installed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from agent_server.cli.gym_generated import list_seeds
from agent_server.html.page import page_templates
from envs.browser.page_size import PAGE_SIZE
from envs.client import RemoteSession
from envs.contract.actions import Action, Navigate
from envs.contract.observations import Observation, Observe, ScreenshotRequest, parse_tree
from envs.contract.screen_size import Size
from envs.gyms.generated.catalogue import find_gym, read_catalogue
from envs.gyms.generated.schema import Family
from envs.gyms.kit.app import App
from envs.gyms.kit.appearance import LAYOUTS, THEMES
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.registry import kit_gyms, web_gyms
from envs.providers.local import local_host

SHOT = Observe(tree=True, screenshot=ScreenshotRequest(format="jpeg", scale=0.4))
MAX_SEEDS = 2000
APPS_OF_A_FAMILY = 4
APPLICATION_PAGES = {
    "mediawiki": ("/index.php?title=Special:RecentChanges", "/index.php?title=Special:AllPages"),
    "trac": ("/report", "/ticket/1", "/newticket"),
    "wordpress": ("/wp-admin/edit.php", "/wp-admin/post-new.php", "/"),
}
"""Shown besides the front page."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot as a data URL, and what it shows."""

    url: str
    label: str


@dataclass(frozen=True, slots=True)
class Section:
    """The pictures of a gym or family, and on how many of them there is a widget of each role."""

    title: str
    pictures: list[Picture] = field(default_factory=list)
    widgets: Counter[str] = field(default_factory=Counter)

    def add(self, observation: Observation, label: str) -> None:
        """Adds a page. Raises RuntimeError where there is no picture."""
        shot, tree = observation.screenshot, observation.tree
        if shot is None or tree is None:
            raise RuntimeError(f"{label}: the host sent no picture")
        self.pictures.append(Picture(f"data:image/jpeg;base64,{shot.data}", label))
        self.widgets.update({line.role for line in parse_tree(tree.text) if line.ref is not None})


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A task, of whose site the first page and those at `paths` are shown."""

    gym: AppGym[Any]
    template: str
    seed: int
    paths: tuple[str, ...]
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


def list_views(gym: AppGym[Any]) -> Iterator[View]:
    """The front page and one place in each layout and theme."""
    app = gym.apps[0]
    for (layout, theme), seed in find_seeds_of_appearances(app).items():
        _, place = app.nav[1 + seed % (len(app.nav) - 1)]
        yield View(
            gym=gym,
            template=gym.templates[seed % len(gym.templates)],
            seed=seed,
            paths=(place,),
            label=f"{gym.name}, layout {layout}, theme {theme}, seed {seed}",
        )


def list_generated_views(family: Family) -> Iterator[View]:
    """Front page, a list, a record and a form of the first apps of a family of markup."""
    rows = [row for row in read_catalogue().values() if row.family == family]
    for row in rows[:APPS_OF_A_FAMILY]:
        gym = find_gym(row.name)
        if gym is None:
            raise RuntimeError(f"{row.name}: the catalogue has no such app")
        seed = list_seeds(row.name, 1)[0]
        _, place = gym.apps[0].nav[-1]
        key = gym.apps[0].make_state(gym.make_world(seed))[place.removeprefix("/")][0]["id"]
        yield View(
            gym=gym,
            template=gym.templates[0],
            seed=seed,
            paths=(place, f"{place}/{key}", f"{place}/{key}/edit"),
            label=f"{row.name}, {row.domain}, seed {seed}",
        )


def list_application_views(gym: AppGym[Any]) -> Iterator[View]:
    """Some pages of a real application."""
    paths = APPLICATION_PAGES[gym.name]
    yield View(gym=gym, template=gym.templates[0], seed=1, paths=paths, label=f"{gym.name}, seed 1")


def _list_all_views(names: Sequence[str] | None) -> dict[str, list[View]]:
    """By title of their section."""
    views = {
        gym.name: list(list_views(gym)) for gym in kit_gyms() if names is None or gym.name in names
    }
    for family in get_args(Family) if names is None else ():
        views[f"generated, {family}"] = list(list_generated_views(family))
    for gym in web_gyms().values():
        if gym.name in APPLICATION_PAGES and (names is None or gym.name in names):
            assert isinstance(gym, AppGym)
            views[gym.name] = list(list_application_views(gym))
    return views


async def write_gallery(
    path: Path, names: Sequence[str] | None = None, page: Size = PAGE_SIZE
) -> list[Section]:
    """Writes the page, and returns what is on it. Without names all gyms of the kit, the real
    applications that are installed and some apps of each family of generated ones are."""
    views_by_title = _list_all_views(names)
    sections = [Section(title) for title in views_by_title]
    async with local_host(1, page=page) as host:
        session = await host.open()
        for section in sections:
            for view in views_by_title[section.title]:
                await _show_view(session, view, section)
        await session.close()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render_gallery(sections))
    return sections


async def _show_view(session: RemoteSession, view: View, section: Section) -> None:
    task = view.gym.make_task(view.template, view.seed)
    section.add((await session.reset(task, SHOT)).observation, view.label)
    for place in view.paths:
        go: list[Action] = [Navigate(url=f"/{view.gym.apps[0].name}{place}")]
        section.add((await session.step(go, SHOT)).observation, view.label)


def list_widgets(sections: Sequence[Section]) -> list[tuple[str, ...]]:
    """Each role, the most frequent one first, with the share of each section's pages that have
    it."""
    total = sum((section.widgets for section in sections), Counter[str]())
    return [
        (role, *(f"{section.widgets[role] / len(section.pictures):.0%}" for section in sections))
        for role, _ in total.most_common()
    ]


def render_gallery(sections: Sequence[Section]) -> str:
    """The page."""
    template = page_templates(Path(__file__).parent).get_template("gallery.html")
    return template.render(title="Gyms", sections=sections, widgets=list_widgets(sections))
