"""Tasks proposed by exploration: random walks through an app, what they changed, and the proof that
it can be done (MobileGUI-RL, arXiv 2507.05720, whose filter asks a model; here the app judges).

Guarantees: each task was done once more from the start state by its own oracle, in another session,
and the gym's verdict was success; the moves are the shortest end of the walk that does it; no two
tasks say the same; equal settings give equal tasks; worlds are of all three splits.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_server.policy.controls import sample_action
from agent_server.tasksets.hindsight import describe, kind_of
from envs.client import HostClient, RemoteSession
from envs.contract.actions import Action, Done, Infeasible, SimpleAction
from envs.contract.observations import Observation, Observe
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import HELDOUT_SEED_BASE, SPLIT_BASES, Limits, Split, Task, split_of
from envs.gyms.kit.app import INCIDENTAL_PATHS
from envs.gyms.kit.explored import PREFIX, WALK, Move, make_params, place_move
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.gym import ApplicationOwned, OracleLost, State
from envs.gyms.server.registry import get_web_gym
from envs.gyms.server.view import Page
from envs.providers.local import local_host
from envs.state.canonical import Change, apply_patch, diff
from envs.state.gym_evidence import unpack

SPLITS: tuple[Split, ...] = ("train", "train", "train", "dev", "test")
"""Of worlds in turn: three fifths to train on."""
OBSERVE = Observe(tree_chars=6000, tree_options=24)
LOOKING = ("scroll", "history")
WEIGHTS = {"button": 8, "box": 2, "select": 3, "check": 3, "radio": 3}
"""By role: what changes something is pressed or filled in, and pages have many more links."""
MOST_FINDINGS = 3
"""Of a walk: what comes later contains what came before, and is longer to say."""


class CannotExplore(ValueError):
    """An app whose tasks cannot be made so; the message says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How far to walk. `per_kind`: most tasks of a template and split, so that what chance does
    often leaves room."""

    app: str
    walks: int = 200
    steps: int = 15
    sessions: int = 4
    per_kind: int = 40
    seed: int = 0


@dataclass(slots=True)
class Exploration:
    """What was found. `left_out`: walks and findings without a task, by reason."""

    tasks: list[Task] = field(default_factory=list)
    walks: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Finding:
    """What a walk changed by its last move, made on the page that is called so."""

    place: str
    changes: tuple[Change, ...]
    moves: tuple[Move, ...]


def find_app(name: str) -> AppGym[Any]:
    """Raises CannotExplore."""
    try:
        gym = get_web_gym(name)
    except KeyError as error:
        raise CannotExplore(str(error.args[0])) from error
    if not isinstance(gym, AppGym) or isinstance(gym, ApplicationOwned):
        raise CannotExplore(f"{name} keeps its state elsewhere: only apps of the kit are explored")
    return gym


async def explore(plan: Plan, show: Callable[[Exploration], None]) -> Exploration:
    """All walks of a plan; `show` is called after each. Raises CannotExplore."""
    find_app(plan.app)
    by_walk: dict[int, list[Task]] = {}
    exploration = Exploration()
    numbers = iter(range(plan.walks))
    async with local_host(plan.sessions) as host:
        workers = min(plan.sessions, plan.walks)
        await asyncio.gather(
            *(_work(host, plan, numbers, by_walk, exploration, show) for _ in range(workers))
        )
    # By number: which session was faster must not matter.
    proposed = [task for number in sorted(by_walk) for task in by_walk[number]]
    exploration.tasks = _choose(proposed, plan.per_kind, exploration.left_out)
    return exploration


async def _work(
    host: HostClient,
    plan: Plan,
    numbers: Iterator[int],
    by_walk: dict[int, list[Task]],
    exploration: Exploration,
    show: Callable[[Exploration], None],
) -> None:
    session = await host.open()
    for number in numbers:
        try:
            by_walk[number] = await _explore_world(session, plan, number, exploration.left_out)
        except EpisodeFault:
            exploration.left_out["lost by the infrastructure"] += 1
            await session.close()
            session = await host.open()
        exploration.walks += 1
        show(exploration)
    await session.close()


async def _explore_world(
    session: RemoteSession, plan: Plan, number: int, left_out: Counter[str]
) -> list[Task]:
    """The verified tasks of one walk, in a world of its own."""
    rng = random.Random(f"explore:{plan.app}:{plan.seed}:{number}")
    seed = SPLIT_BASES[SPLITS[number % len(SPLITS)]] + rng.randrange(HELDOUT_SEED_BASE)
    start = _make_task(plan.app, WALK, seed, make_params("", (), ()))
    before = find_app(plan.app).initial_state(start)
    findings = await _walk(session, start, before, plan.steps, rng)
    if not findings:
        left_out["changed nothing"] += 1
    tasks = []
    places: set[str] = set()
    for finding in findings:
        places.add(finding.place)
        instruction = describe(finding.place, before, finding.changes, len(places) == 1)
        if instruction is None:
            left_out["no words for it"] += 1
            continue
        moves = await _shorten(session, start, before, finding)
        if moves is None:
            left_out["not done again"] += 1
            continue
        params = make_params(instruction, finding.changes, moves)
        task = _make_task(plan.app, f"{PREFIX}{kind_of(finding.changes)}", seed, params)
        if await _is_solved_by_oracle(session, task):
            tasks.append(task)
        else:
            left_out["its oracle fails"] += 1
    return tasks


def _make_task(app: str, template: str, seed: int, params: dict[str, object]) -> Task:
    instruction = str(params["instruction"])
    mark = hashlib.sha256(f"{seed}:{instruction}".encode()).hexdigest()[:8]
    moves = params["moves"]
    assert isinstance(moves, list)
    return Task(
        id=f"{app}/{template}@{seed}.{mark}",
        instruction=instruction,
        gym=app,
        template=template,
        seed=seed,
        params=params,
        milestones=("finished",),
        limits=Limits(max_steps=2 * len(moves) + 6),
        split=split_of(seed),
    )


async def _walk(
    session: RemoteSession, start: Task, before: State, steps: int, rng: random.Random
) -> list[_Finding]:
    """Every state that the walk led to and that was new to it."""
    observation = (await session.reset(start, OBSERVE)).observation
    moves: list[Move] = []
    used: set[tuple[str, str, str]] = set()
    places: dict[str, str] = {}
    findings: list[_Finding] = []
    seen: tuple[Change, ...] = ()
    for _ in range(steps):
        hides = observation.tree is None or observation.dialog is not None
        if hides or len(findings) == MOST_FINDINGS:
            break
        page = Page(observation)
        # As it was first seen: scrolled down, a page begins with another heading.
        places.setdefault(page.url, _get_place(page))
        lines = [line for line in page.lines if (page.url, line.role, line.name) not in used]
        # A line stands as often as its role weighs: chance among equals mostly looks around.
        weighed = [line for line in lines for _ in range(WEIGHTS.get(line.role, 1))]
        action = sample_action(rng, weighed)
        if isinstance(action, Done | Infeasible):
            continue
        move = _record(page, action)
        used.add((page.url, move.role, move.name))
        moves.append(move)
        observation = (await session.step([action], OBSERVE)).observation
        changes = await _read_changes(session, before)
        if changes and changes != seen:
            findings.append(_Finding(places[page.url], changes, tuple(moves)))
        seen = changes
    return findings


def _get_place(page: Page) -> str:
    """What a person would call the page: its heading, which names what it shows."""
    headings = (line.name for line in page.lines if line.role == "heading" and line.name)
    return next(headings, page.title)


def _record(page: Page, action: Action) -> Move:
    """The action by role, name and place of its element."""
    assert action.type != "batch"
    target = getattr(action, "target", None)
    line = next((line for line in page.lines if target and line.ref == target.ref), None)
    if line is None:
        return Move(action=action)
    alike = [each.ref for each in page.elements(line.role) if each.name == line.name]
    return Move(action=action, role=line.role, name=line.name, place=alike.index(line.ref))


async def _read_changes(session: RemoteSession, before: State) -> tuple[Change, ...]:
    kept: list[bytes] = []
    await session.evaluate(keep=kept.append)
    evidence = unpack(kept[0])
    assert evidence is not None
    return tuple(diff(before, apply_patch(before, evidence.change), INCIDENTAL_PATHS))


async def _shorten(
    session: RemoteSession, start: Task, before: State, finding: _Finding
) -> tuple[Move, ...] | None:
    """The shortest end of the walk that makes the same changes from the start; None where not even
    all of it does."""
    useful = [move for move in finding.moves if move.action.type not in LOOKING]
    for moves in (finding.moves, tuple(useful)):
        for length in range(1, len(moves) + 1):
            was_made = await _repeat(session, start, moves[-length:])
            if was_made and await _read_changes(session, before) == finding.changes:
                return tuple(moves[-length:])
    return None


async def _repeat(session: RemoteSession, start: Task, moves: Sequence[Move]) -> bool:
    """Whether each move could be made, from the start."""
    observation = (await session.reset(start, OBSERVE)).observation
    for move in moves:
        action = _place(observation, move)
        if action is None:
            return False
        reply = await session.step([action], OBSERVE)
        if not reply.results[0].ok:
            return False
        observation = reply.observation
    return True


def _place(observation: Observation, move: Move) -> SimpleAction | None:
    try:
        return place_move(Page(observation), move)
    except OracleLost:
        return None


async def _is_solved_by_oracle(session: RemoteSession, task: Task) -> bool:
    """Whether the task's own oracle ends with the verdict success, from a fresh start."""
    oracle = find_app(task.gym or "").oracle(task)
    observation = (await session.reset(task, OBSERVE)).observation
    for _ in range(task.limits.max_steps):
        try:
            action = oracle.move(observation).action
        except OracleLost:
            return False
        if isinstance(action, Done):
            return (await session.evaluate(action.answer)).success
        observation = (await session.step([action], OBSERVE)).observation
    return False


def _choose(proposed: Sequence[Task], per_kind: int, left_out: Counter[str]) -> list[Task]:
    """Each instruction once; at most `per_kind` of a template and split; only templates with tasks
    of all splits, so that what is trained on can be evaluated on worlds that were not."""
    instructions: set[str] = set()
    counts: Counter[tuple[str, Split]] = Counter()
    chosen = []
    for task in proposed:
        template = task.template or ""
        if task.instruction in instructions:
            left_out["said already"] += 1
        elif counts[template, task.split] >= per_kind:
            left_out["enough of its kind"] += 1
        else:
            instructions.add(task.instruction)
            counts[template, task.split] += 1
            chosen.append(task)
    whole = {
        template for template, _ in counts if all(counts[template, split] for split in SPLIT_BASES)
    }
    kept = [task for task in chosen if task.template in whole]
    left_out["not in every split"] += len(chosen) - len(kept)
    return kept
