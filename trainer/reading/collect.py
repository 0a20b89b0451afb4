"""Collects pages in Chromium: demonstrations, and walks that follow a task's oracle for some steps,
and chance from there on. The oracle need not know its way in states that chance has led to.

Guarantees: browser and gym server are started here and stopped at the end; the walks are drawn from
the seed alone; a walk that the infrastructure ends gives the pages that it saw, and is counted; one
that came to its end is not walked again after an interruption.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from agent_server.policy.controls import sample_action
from agent_server.policy.oracle import find_oracle
from envs.client import HostClient, RemoteSession
from envs.contract.actions import Action, Done, Infeasible
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import DEV_SEED_BASE, HELDOUT_SEED_BASE
from envs.gyms.kit.template import Unsatisfiable
from envs.gyms.server.gym import OracleLost
from envs.providers.local import local_host
from trainer.curriculum import make_task
from trainer.reading.config import PagesConfig
from trainer.reading.demonstrate import demonstrate, make_page
from trainer.reading.pages import Page
from trainer.reading.walk_log import WalkLog
from trainer.task_set import expand_tasks

TRAIN, DEV, UNSEEN = "train", "dev", "unseen"
GROUPS = (TRAIN, DEV, UNSEEN)


@dataclass(frozen=True, slots=True)
class _Walk:
    group: str
    template: str
    seed: int
    is_demonstration: bool = False


@dataclass(slots=True)
class Collection:
    """What was collected; `faults` walks were ended by the infrastructure."""

    pages: list[Page] = field(default_factory=list)
    walks: int = 0
    faults: int = 0


async def collect_pages(
    config: PagesConfig, seed: int, show: Callable[[Collection], None], log: WalkLog
) -> Collection:
    """All walks of a configuration but those in the log, whose pages are added; `show` is called
    after each of them.

    Raises RuntimeError where no walk saw a page."""
    walks: asyncio.Queue[tuple[int, _Walk]] = asyncio.Queue()
    before = log.open()
    collection = Collection([page for pages in before.values() for page in pages], len(before))
    for place, walk in enumerate(plan_walks(config, seed)):
        if place not in before:
            walks.put_nowait((place, walk))
    async with local_host(config.sessions) as host:
        await asyncio.gather(
            *(_work(host, config, walks, collection, show, log) for _ in range(config.sessions))
        )
    if not collection.pages:
        raise RuntimeError(f"none of {collection.walks} walks saw a page")
    # By content: which session was faster must not matter.
    collection.pages.sort(key=lambda page: (page.group, page.template, page.key))
    return collection


def plan_walks(config: PagesConfig, seed: int) -> list[_Walk]:
    """Templates in turn: train seeds of what is read, dev seeds of the same and of the unseen.
    Demonstrations of unseen apps are only measured. In random order, so that a collection that was
    ended early has something of everything."""
    rng = random.Random(f"walks:{seed}")
    unseen = expand_tasks(config.unseen, "pages.unseen") if config.unseen else ()
    seen = tuple(name for name in expand_tasks(config.tasks, "pages.tasks") if name not in unseen)
    shown: tuple[str, ...] = ()
    if config.demonstrated:
        shown = expand_tasks(config.demonstrated, "pages.demonstrated")
        shown = tuple(name for name in shown if name not in unseen)
    heldout = config.heldout_demonstrations
    sets = (
        (TRAIN, seen, config.episodes, 0, False),
        (DEV, seen, config.heldout_episodes, DEV_SEED_BASE, False),
        (UNSEEN, unseen, config.heldout_episodes, DEV_SEED_BASE, False),
        (TRAIN, shown, config.demonstrations, 0, True),
        (DEV, shown, heldout, DEV_SEED_BASE, True),
        (UNSEEN, unseen if shown else (), heldout, DEV_SEED_BASE, True),
    )
    walks = [
        _Walk(
            group,
            templates[index % len(templates)],
            base + rng.randrange(HELDOUT_SEED_BASE),
            is_demonstration,
        )
        for group, templates, count, base, is_demonstration in sets
        for index in range(count if templates else 0)
    ]
    rng.shuffle(walks)
    return walks


async def _work(
    host: HostClient,
    config: PagesConfig,
    walks: asyncio.Queue[tuple[int, _Walk]],
    collection: Collection,
    show: Callable[[Collection], None],
    log: WalkLog,
) -> None:
    """Walks until none is left; a session that failed is replaced."""
    session = await host.open()
    while not walks.empty():
        place, walk = walks.get_nowait()
        collection.walks += 1
        pages: list[Page] = []
        try:
            if walk.is_demonstration:
                task = make_task(walk.template, walk.seed)
                pages += await demonstrate(task, walk.template, walk.group, session, config)
            else:
                await _walk_pages(walk, session, config, pages)
            log.add(place, pages)
        except Unsatisfiable:
            continue
        except EpisodeFault:
            collection.faults += 1
            await session.close()
            session = await host.open()
        finally:
            collection.pages += pages
        show(collection)
    await session.close()


async def _walk_pages(
    walk: _Walk, session: RemoteSession, config: PagesConfig, pages: list[Page]
) -> None:
    """One walk; its pages go to the list as they are seen."""
    task = make_task(walk.template, walk.seed)
    observe = Observe(tree_chars=config.tree_chars, tree_options=config.tree_options)
    rng = random.Random(f"walk:{task.id}")
    oracle, guided = find_oracle(task), rng.randint(0, config.steps)
    observation = (await session.reset(task, observe)).observation
    for step in range(config.steps):
        page = make_page(walk.template, walk.group, observation)
        if page is None:
            return
        pages.append(page)
        action: Action = Done()
        if step < guided:
            try:
                action = oracle.move(observation).action
            except OracleLost:
                guided = 0
        if isinstance(action, Done | Infeasible):
            # The oracle is through with the task, or chance has begun.
            guided = 0
            action = sample_action(rng, page.lines())
        if not isinstance(action, Done | Infeasible):
            observation = (await session.step([action], observe)).observation


def distinct_pages(pages: Sequence[Page], group: str) -> list[Page]:
    """The pages of one group, each once, in their order."""
    return list({page.key: page for page in pages if page.group == group}.values())
