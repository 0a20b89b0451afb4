"""The verifier matrix: whether each template of a gym can be solved, and by nothing else.

    oracle      the oracle, acting on real pages in Chromium, reaches score 1 and all milestones
    same        done again, it sees and leaves exactly the same (hashes of observations and state)
    no-op       neither doing nothing nor claiming "infeasible" at once is a success
    over        all that the oracle did and one thing more earns next to nothing
    forged      the oracle's own forms, sent without having been shown, change nothing
    phrasings   every phrasing is worded, and the verdict does not depend on which it was

Guarantees: browser and server are started here and stopped at the end; what failed is told with the
task's id, so that it can be episode again (`deskhand gym play`).
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import random
import secrets
import threading
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import uvicorn

from envs.client import HostClient, RemoteSession
from envs.contract.actions import Done, Infeasible
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault
from envs.contract.session import Verdict
from envs.contract.task import Task
from envs.gyms.kit.app import INCIDENTAL_PATHS
from envs.gyms.kit.gym import HARM_CAP, AppGym
from envs.gyms.kit.template import Unsatisfiable
from envs.gyms.server.app import COOKIE, create_app
from envs.gyms.server.gym import OracleLost, PageOwned, State, WebGym
from envs.gyms.server.registry import web_gyms
from envs.gyms.server.sessions import SessionStore
from envs.providers.local import GymsAt, free_port, local_host
from envs.state.canonical import diff

CHECKS = ("oracle", "same", "no-op", "over", "forged", "phrasings")
PAGE_CHECKS = ("oracle", "same", "no-op")
TREE_CHARS = 12_000
AS_THE_ORACLE = Observe(tree=True, tree_chars=TREE_CHARS, tree_options=30)
SERVER_S = 10.0


@dataclass(slots=True)
class Row:
    """A template: how many seeds each check held for, and what did not hold."""

    gym: str
    template: str
    level: int | None
    seeds: int
    held: dict[str, int] = field(default_factory=dict)
    steps: list[int] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    least_wins: float = 1.0

    @property
    def holds(self) -> bool:
        """Whether every check held for every seed, or as often as chance allows."""
        return all(count >= self.least_wins * self.seeds for count in self.held.values()) and (
            not self.failures or self.least_wins < 1
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleEpisode:
    """One oracle episode."""

    verdict: Verdict
    hashes: tuple[str, ...]
    answer: str | None
    infeasible: bool
    posts: tuple[tuple[str, dict[str, str]], ...]
    before: State
    after: State

    @property
    def is_solved(self) -> bool:
        """Success, with all milestones."""
        return self.verdict.success and all(self.verdict.milestones.values())


class Auditor:
    """Use as an async context manager."""

    def __init__(self, sessions: int = 8) -> None:
        self._sessions = sessions
        self._store = SessionStore()
        self._stack = contextlib.AsyncExitStack()
        self._free: asyncio.Queue[RemoteSession] = asyncio.Queue()
        self._twin_lock = asyncio.Lock()

    async def __aenter__(self) -> Auditor:
        try:
            gyms = await self._stack.enter_async_context(_serve_gyms(self._store))
            host: HostClient = await self._stack.enter_async_context(
                local_host(self._sessions + 1, gyms=gyms)
            )
            self._url = gyms.url
            # Forged forms come minutes apart: a kept connection may just be closing.
            self._http = await self._stack.enter_async_context(
                aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True))
            )
            self._twin = await host.open()
            for _ in range(self._sessions):
                self._free.put_nowait(await host.open())
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def run_matrix(
        self,
        gym: WebGym,
        templates: Iterable[str],
        seeds: Sequence[int],
    ) -> list[Row]:
        """All checks of all templates, as many at once as there are sessions."""

        async def audit(template: str) -> Row:
            row = Row(gym.name, template, gym.level(template), len(seeds))
            row.held = dict.fromkeys(CHECKS, 0)
            for seed in seeds:
                with _record_failure(row, f"{gym.name}/{template}@{seed}", "sampled"):
                    task = gym.make_task(template, seed)
                    async with self._session() as session:
                        await self._run_checks(gym, task, session, row)
            return row

        return list(await asyncio.gather(*(audit(template) for template in templates)))

    async def run_pages(self, gym: WebGym, names: Iterable[str], seeds: Sequence[int]) -> list[Row]:
        """Checks of a gym whose pages own their state: "oracle", "same" and "no-op"."""
        assert isinstance(gym, PageOwned)
        least_wins = gym.least_wins

        async def audit(template: str) -> Row:
            row = Row(gym.name, template, gym.level(template), len(seeds))
            row.held, row.least_wins = dict.fromkeys(PAGE_CHECKS, 0), least_wins(template)
            for seed in seeds:
                task = gym.make_task(template, seed)
                with _record_failure(row, task.id, "oracle"):
                    async with self._session() as session:
                        await session.reset(task, Observe())
                        assert not (await session.evaluate(None, False)).success, "success at once"
                        row.held["no-op"] += 1
                        episode = await self._play(gym, task, session)
                        again = await self._play(gym, task, session)
                        assert again.hashes == episode.hashes, "other observations"
                        row.held["same"] += 1
                        row.steps.append(len(episode.hashes))
                        assert episode.is_solved, _explain(episode)
                        row.held["oracle"] += 1
            return row

        return list(await asyncio.gather(*(audit(template) for template in names)))

    async def run_disturbed(
        self,
        gym: WebGym,
        templates: Iterable[str],
        seeds: Sequence[int],
        strength: float,
    ) -> list[Row]:
        """The oracle alone, on sites that get in the way."""

        async def audit(template: str) -> Row:
            row = Row(gym.name, template, gym.level(template), len(seeds), {"oracle": 0})
            for seed in seeds:
                with _record_failure(row, f"{gym.name}/{template}@{seed}", "oracle"):
                    task = gym.make_task(template, seed)
                    if isinstance(gym, AppGym):
                        task = gym.disturb(task, strength)
                    async with self._session() as session:
                        episode = await self._play(gym, task, session)
                        assert episode.is_solved, _explain(episode)
                        row.held["oracle"] += 1
            return row

        return list(await asyncio.gather(*(audit(template) for template in templates)))

    async def run_forks(
        self, gym: WebGym, templates: Iterable[str], seeds: Sequence[int]
    ) -> list[Row]:
        """A state in the middle of the oracle's episode, put back after a fresh start and put into
        another session: both see the same, and the oracle solves the task there."""

        async def audit(template: str) -> Row:
            row = Row(gym.name, template, gym.level(template), len(seeds), {"fork": 0})
            for seed in seeds:
                with _record_failure(row, f"{gym.name}/{template}@{seed}", "fork"):
                    async with self._session() as session:
                        await self._check_fork(gym, gym.make_task(template, seed), session)
                        row.held["fork"] += 1
            return row

        return list(await asyncio.gather(*(audit(template) for template in templates)))

    async def _check_fork(self, gym: WebGym, task: Task, session: RemoteSession) -> None:
        steps = len((await self._play(gym, task, session)).hashes) - 1
        oracle = gym.oracle(task)
        observation = (await session.reset(task, AS_THE_ORACLE)).observation
        for _ in range((steps + 1) // 2):
            action = oracle.move(observation).action
            observation = (await session.step([action], AS_THE_ORACLE)).observation
        state = await session.snapshot()
        await session.reset(task, AS_THE_ORACLE)
        for target in (self._twin, session):
            async with self._twin_lock:
                restored = await target.restore(state.id, AS_THE_ORACLE)
            assert restored.state_hash == state.state_hash, "another state"
            assert restored.observation.hash == observation.hash, "another page"
        observation = restored.observation
        for _ in range(steps + 1):
            action = oracle.move(observation).action
            if isinstance(action, Done | Infeasible):
                break
            observation = (await session.step([action], AS_THE_ORACLE)).observation
        answer = action.answer if isinstance(action, Done) else None
        verdict = await session.evaluate(answer, isinstance(action, Infeasible))
        assert verdict.success, f"score {verdict.score:g} after the fork"

    @contextlib.asynccontextmanager
    async def _session(self) -> AsyncIterator[RemoteSession]:
        session = await self._free.get()
        try:
            yield session
        finally:
            self._free.put_nowait(session)

    async def _run_checks(self, gym: WebGym, task: Task, session: RemoteSession, row: Row) -> None:
        with _record_failure(row, task.id, "no-op"):
            await session.reset(task, Observe(tree=False))
            for infeasible in (False, True):
                idle = await session.evaluate(None, infeasible)
                assert not idle.success, f"success for nothing (infeasible: {infeasible})"
            row.held["no-op"] += 1
        with _record_failure(row, task.id, "oracle"):
            episode = await self._play(gym, task, session)
            row.steps.append(len(episode.hashes))
            assert episode.is_solved, _explain(episode)
            row.held["oracle"] += 1
            with _record_failure(row, task.id, "same"):
                again = await self._play(gym, task, session)
                assert again.hashes == episode.hashes, "other observations"
                assert again.verdict == episode.verdict, "another verdict"
                row.held["same"] += 1
            with _record_failure(row, task.id, "over"):
                self._check_over_action(gym, task, episode)
                row.held["over"] += 1
            with _record_failure(row, task.id, "forged"):
                await self._check_forged_posts(gym, task, episode)
                row.held["forged"] += 1
            with _record_failure(row, task.id, "phrasings"):
                _check_phrasings(gym, task, episode)
                row.held["phrasings"] += 1

    async def _play(self, gym: WebGym, task: Task, session: RemoteSession) -> OracleEpisode:
        observe = AS_THE_ORACLE
        oracle = gym.oracle(task)
        observation = (await session.reset(task, observe)).observation
        hashes = [observation.hash]
        answer, infeasible = None, False
        for _ in range(task.limits.max_steps):
            move = oracle.move(observation)
            if isinstance(move.action, Done | Infeasible):
                answer = move.action.answer if isinstance(move.action, Done) else None
                infeasible = isinstance(move.action, Infeasible)
                break
            reply = await session.step([move.action], observe)
            failed = next((result for result in reply.results if not result.ok), None)
            assert failed is None, f"{move.action}: {failed}"
            observation = reply.observation
            hashes.append(observation.hash)
        else:
            raise OracleLost(f"no end after {task.limits.max_steps} steps")
        verdict = await session.evaluate(answer, infeasible)
        gym_session = self._store.of_task(task.id)
        assert gym_session is not None
        assert gym_session.crash is None, f"the app crashed: {gym_session.crash}"
        posts = tuple((path, dict(form)) for path, form in gym_session.posts)
        before, after = copy.deepcopy(gym_session.before), copy.deepcopy(gym_session.state)
        return OracleEpisode(
            verdict=verdict,
            hashes=tuple(hashes),
            answer=answer,
            infeasible=infeasible,
            posts=posts,
            before=before,
            after=after,
        )

    def _check_over_action(self, gym: WebGym, task: Task, episode: OracleEpisode) -> None:
        after = copy.deepcopy(episode.after)
        gym.apply_stray_change(after, random.Random(f"stray:{task.id}"))
        assert diff(episode.after, after), "the gym's stray change changes nothing"
        verdict = gym.verdict(task, episode.before, after, episode.answer, episode.infeasible)
        assert verdict.score <= HARM_CAP, f"{verdict.score} with a change nobody asked for"

    async def _check_forged_posts(self, gym: WebGym, task: Task, episode: OracleEpisode) -> None:
        key = secrets.token_hex(8)
        self._store.put(key, task, gym.initial_state(task), gym.initial_state(task))
        cookies = {COOKIE: key}
        for path, form in episode.posts:
            for token in (None, "", "0" * 24):
                data = form if token is None else {**form, "token": token}
                url = self._url + path
                async with self._http.post(
                    url, data=data, cookies=cookies, allow_redirects=False
                ) as reply:
                    assert reply.status in (303, 404), f"{path} answered {reply.status}"
        session = self._store.get(key)
        assert session is not None
        changes = diff(session.before, session.state, INCIDENTAL_PATHS)
        self._store.delete(key)
        assert not changes, f"forged forms changed {changes[0].path}"
        if episode.posts:
            verdict = gym.verdict(
                task, session.before, session.state, episode.answer, episode.infeasible
            )
            assert not verdict.success, "forged forms are a success"


def _check_phrasings(gym: WebGym, task: Task, episode: OracleEpisode) -> None:
    if not isinstance(gym, AppGym):
        return
    instructions = set()
    for index in range(len(gym.spec(task.template).phrasings)):
        other = gym.make_task(task.template or "", task.seed, index)
        assert other.params == task.params, "a phrasing changes the params"
        assert "{" not in other.instruction, other.instruction
        instructions.add(other.instruction)
        verdict = gym.verdict(
            other, episode.before, episode.after, episode.answer, episode.infeasible
        )
        assert verdict.success, f"phrasing {index} fails"
    assert len(instructions) > 1, "there is one phrasing only"


@contextlib.contextmanager
def _record_failure(row: Row, task: str, check: str) -> Any:
    """What fails is a failure of the check, not of the audit."""
    try:
        yield
    except (AssertionError, OracleLost, EpisodeFault, Unsatisfiable, StopIteration) as error:
        row.failures.append(f"{check} {task}: {error}"[:400])


def _explain(episode: OracleEpisode) -> str:
    verdict = episode.verdict
    return f"score {verdict.score:g}, milestones {verdict.milestones}, {verdict.details}"


@contextlib.asynccontextmanager
async def _serve_gyms(store: SessionStore) -> AsyncIterator[GymsAt]:
    """A gym server in a thread of this process, whose sessions can be looked into."""
    gyms = GymsAt(f"http://127.0.0.1:{free_port()}", secrets.token_urlsafe(24))
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(gyms.token, store),
            host="127.0.0.1",
            port=int(gyms.url.rsplit(":", 1)[1]),
            log_level="warning",
            access_log=False,
        )
    )
    thread = threading.Thread(target=server.run, name="gyms", daemon=True)
    thread.start()
    try:
        async with asyncio.timeout(SERVER_S):
            while not server.started:
                await asyncio.sleep(0.02)
        yield gyms
    finally:
        server.should_exit = True
        await asyncio.to_thread(thread.join, SERVER_S)


def list_audited_gyms() -> list[WebGym]:
    """All gyms whose verdicts are made from a state of the server."""
    return [gym for gym in web_gyms().values() if not isinstance(gym, PageOwned)]
