"""The verifier matrix: whether each template of a gym can be solved, and by nothing else.

    oracle      the oracle, acting on real pages in Chromium, reaches score 1 and all milestones
    double      done again with every form sent twice, as by double clicks, it leaves the same
    same        done again, it sees and leaves exactly the same (hashes of observations and state)
    no-op       neither doing nothing nor claiming "infeasible" at once is a success
    unseen      nor is "infeasible" after looking at every page but the refusal
    tools       the oracle by site tools, where there is one, solves the task or meets the refusal
    forged      the oracle's own forms, sent without having been shown, change nothing

and over, phrasings, order, spelling, answers and guess, see `audit_checks.py`. A check that
applies to none of a template's seeds is left out of its row.

Guarantees: browser and server are started here and stopped at the end; what failed is told with the
task's id, so that it can be played again (`deskhand gym play`).
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Self
from urllib.parse import urlsplit

import aiohttp

from envs.browser.gym_admin import GymAdmin
from envs.client import HostClient, RemoteSession
from envs.contract.actions import Done, Infeasible, Tool
from envs.contract.observations import Observation, Observe
from envs.contract.task import Task
from envs.gyms.kit.app import INCIDENTAL_PATHS
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.app import COOKIE
from envs.gyms.server.audit_checks import (
    STATE_CHECKS,
    OracleEpisode,
    check_guesses,
    check_over_action,
)
from envs.gyms.server.audit_rows import Row, record_failure
from envs.gyms.server.audit_server import serve_gyms
from envs.gyms.server.gym import OracleLost, PageOwned, WebGym
from envs.gyms.server.registry import web_gyms
from envs.gyms.server.sessions import SessionStore
from envs.providers.local import local_host
from envs.state.canonical import diff

__all__ = ("CHECKS", "PAGE_CHECKS", "Auditor", "Row", "list_audited_gyms")
CHECKS = (
    *("oracle", "same", "double", "no-op", "unseen", "tools", "over", "forged", "phrasings"),
    *("order", "spelling", "answers", "guess"),
)
PAGE_CHECKS = ("oracle", "same", "no-op")
TOKENS = ("token", "wpEditToken")
"""Names of the fields that prove that a form was shown: the kit's, MediaWiki's."""
TREE_CHARS = 12_000
AS_THE_ORACLE = Observe(tree=True, tree_chars=TREE_CHARS, tree_options=30)


class Auditor:
    """Use as an async context manager."""

    def __init__(self, sessions: int = 8) -> None:
        self._sessions = sessions
        self._store = SessionStore()
        self._stack = contextlib.AsyncExitStack()
        self._free: asyncio.Queue[RemoteSession] = asyncio.Queue()
        self._twin_lock = asyncio.Lock()

    async def __aenter__(self) -> Self:
        try:
            gyms, self._doubled = await self._stack.enter_async_context(serve_gyms(self._store))
            host: HostClient = await self._stack.enter_async_context(
                local_host(self._sessions + 1, gyms=gyms)
            )
            self._url = gyms.url
            self._admin = GymAdmin(gyms.url, gyms.token)
            self._stack.push_async_callback(self._admin.close)
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
                with record_failure(row, f"{gym.name}/{template}@{seed}", "sampled"):
                    task = await asyncio.to_thread(gym.make_task, template, seed)
                    async with self._session() as session:
                        await self._run_checks(gym, task, session, row)
            return row

        rows = list(await asyncio.gather(*(audit(template) for template in templates)))
        # Not while episodes are played: the gym server is a thread of this process and needs its
        # turns, or pages come so late that nobody waits for them.
        for row in rows:
            with record_failure(row, f"{gym.name}/{row.template}", "guess"):
                await asyncio.to_thread(check_guesses, gym, row.template, row)
            row.leave_out_what_never_applied()
        return rows

    async def run_pages(self, gym: WebGym, names: Iterable[str], seeds: Sequence[int]) -> list[Row]:
        """Checks of a gym whose pages own their state: "oracle", "same" and "no-op"."""
        assert isinstance(gym, PageOwned)
        least_wins = gym.least_wins

        async def audit(template: str) -> Row:
            row = Row(gym.name, template, gym.level(template), len(seeds))
            row.held, row.least_wins = dict.fromkeys(PAGE_CHECKS, 0), least_wins(template)
            for seed in seeds:
                task = gym.make_task(template, seed)
                with record_failure(row, task.id, "oracle"):
                    async with self._session() as session:
                        await session.reset(task, Observe())
                        assert not (await session.evaluate(None, False)).success, "success at once"
                        row.held["no-op"] += 1
                        episode = await self._play(gym, task, session)
                        again = await self._play(gym, task, session)
                        assert again.hashes == episode.hashes, "other observations"
                        row.held["same"] += 1
                        row.steps.append(len(episode.hashes))
                        assert episode.is_solved, episode.summary
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
                with record_failure(row, f"{gym.name}/{template}@{seed}", "oracle"):
                    task = gym.make_task(template, seed)
                    if isinstance(gym, AppGym):
                        task = gym.disturb(task, strength)
                    async with self._session() as session:
                        episode = await self._play(gym, task, session)
                        assert episode.is_solved, episode.summary
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
                with record_failure(row, f"{gym.name}/{template}@{seed}", "fork"):
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
        with record_failure(row, task.id, "no-op"):
            await session.reset(task, Observe(tree=False))
            for infeasible in (False, True):
                idle = await session.evaluate(None, infeasible)
                assert not idle.success, f"success for nothing (infeasible: {infeasible})"
            row.held["no-op"] += 1
        with record_failure(row, task.id, "tools"):
            await self._check_tools(gym, task, session, row)
        with record_failure(row, task.id, "oracle"):
            episode = await self._play(gym, task, session)
            row.steps.append(len(episode.hashes))
            assert episode.is_solved, episode.summary
            row.held["oracle"] += 1
            await self._check_again(gym, task, session, episode, row)
            with record_failure(row, task.id, "over"):
                await asyncio.to_thread(check_over_action, gym, task, episode)
                row.held["over"] += 1
            with record_failure(row, task.id, "forged"):
                await self._check_forged_posts(gym, task, episode)
                row.held["forged"] += 1
            with record_failure(row, task.id, "unseen"):
                await self._check_unseen(gym, task, episode, row)
            for check, function in STATE_CHECKS.items():
                with record_failure(row, task.id, check):
                    applies: bool | None = None
                    if isinstance(gym, AppGym):
                        # In a thread: nothing renews sessions' leases while this one computes.
                        applies = await asyncio.to_thread(function, gym, task, episode)
                    if applies:
                        row.held[check] += 1
                    else:
                        row.skip(check)

    async def _check_again(
        self, gym: WebGym, task: Task, session: RemoteSession, episode: OracleEpisode, row: Row
    ) -> None:
        """ "double", and "same", which follows from it: if not, the oracle plays once more."""
        with record_failure(row, task.id, "double"):
            doubled = await self._play(gym, task, session, doubles_forms=True)
            is_same = (doubled.hashes, doubled.verdict) == (episode.hashes, episode.verdict)
            assert doubled.is_solved, doubled.summary
            changes = diff(episode.after, doubled.after, INCIDENTAL_PATHS)
            assert not changes, f"forms that came twice changed {changes[0].path}"
            row.held["double"] += 1
            if is_same:
                row.held["same"] += 1
                return
        with record_failure(row, task.id, "same"):
            again = await self._play(gym, task, session)
            assert again.hashes == episode.hashes, "other observations"
            assert again.verdict == episode.verdict, "another verdict"
            row.held["same"] += 1

    async def _check_tools(self, gym: WebGym, task: Task, session: RemoteSession, row: Row) -> None:
        if not isinstance(gym, AppGym) or gym.spec(task.template).tool_calls is None:
            row.skip("tools")
            return
        task = task.model_copy(update={"tools": "api"})
        await session.reset(task, Observe(tree=False))
        oracle, refusals = gym.oracle(task), []
        while isinstance(action := oracle.move(Observation(hash="")).action, Tool):
            reply = await session.step([action], Observe(tree=False))
            refusals += [result for result in reply.results if not result.ok]
        verdict = await session.evaluate(None, isinstance(action, Infeasible))
        assert verdict.success, f"score {verdict.score:g}, {verdict.details}, {refusals}"
        row.held["tools"] += 1

    async def _check_unseen(
        self, gym: WebGym, task: Task, episode: OracleEpisode, row: Row
    ) -> None:
        """Looks at the main places of all apps and at the oracle's pages: at all where a form has
        to be refused, else at those of other paths than the last one, which shows why."""
        if not isinstance(gym, AppGym) or not episode.infeasible:
            row.skip("unseen")
            return
        last = urlsplit(episode.paths[-1]).path
        paths = [f"/{app.name}{path}" for app in gym.apps for _, path in app.nav]
        paths += [path for path in episode.paths if episode.posts or urlsplit(path).path != last]
        async with self._gym_session(task) as key:
            for path in dict.fromkeys(paths):
                async with self._http.get(self._url + path, cookies={COOKIE: key}) as reply:
                    assert reply.status == 200, f"{path} answered {reply.status}"
            verdict = await self._admin.verdict(key, None, True)
        assert not verdict.success, f"success after looking at {len(set(paths))} pages"
        row.held["unseen"] += 1

    async def _play(
        self, gym: WebGym, task: Task, session: RemoteSession, *, doubles_forms: bool = False
    ) -> OracleEpisode:
        observe = AS_THE_ORACLE
        oracle = gym.oracle(task)
        observation = (await session.reset(task, observe)).observation
        hashes, paths = [observation.hash], [_path_of(observation)]
        gym_session = self._store.of_task(task.id)
        assert gym_session is not None
        key = gym_session.key
        (self._doubled.keys.add if doubles_forms else self._doubled.keys.discard)(key)
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
            paths.append(_path_of(observation))
        else:
            raise OracleLost(f"no end after {task.limits.max_steps} steps")
        verdict = await session.evaluate(answer, infeasible)
        self._doubled.keys.discard(key)
        gym_session = self._store.of_task(task.id)
        assert gym_session is not None
        assert gym_session.crash is None, f"the app crashed: {gym_session.crash}"
        posts = tuple((path, dict(form)) for path, form in gym_session.posts)
        before, after = copy.deepcopy(gym_session.before), copy.deepcopy(gym_session.state)
        return OracleEpisode(
            verdict=verdict,
            hashes=tuple(hashes),
            paths=tuple(paths),
            answer=answer,
            infeasible=infeasible,
            posts=posts,
            before=before,
            after=after,
        )

    async def _check_forged_posts(self, gym: WebGym, task: Task, episode: OracleEpisode) -> None:
        async with self._gym_session(task) as key:
            for path, form in episode.posts:
                proofs = {*TOKENS, *(name for name in form if _is_proof(name))}
                honest = {name: text for name, text in form.items() if name not in proofs}
                for token in (None, "", "0" * 24):
                    data = honest if token is None else {**form, **dict.fromkeys(proofs, token)}
                    async with self._http.post(
                        self._url + path, data=data, cookies={COOKIE: key}, allow_redirects=False
                    ) as reply:
                        assert reply.status < 500, f"{path} answered {reply.status}"
            states = await self._admin.states(key)
            changes = diff(states.before, states.after, INCIDENTAL_PATHS)
            assert not changes, f"forged forms changed {changes[0].path}"
            if episode.posts:
                verdict = await self._admin.verdict(key, episode.answer, episode.infeasible)
                assert not verdict.success, "forged forms are a success"

    @contextlib.asynccontextmanager
    async def _gym_session(self, task: Task) -> AsyncIterator[str]:
        """A gym session without a browser, by its key."""
        key = secrets.token_hex(8)
        await self._admin.put(key, task)
        try:
            yield key
        finally:
            await self._admin.delete(key)


def _path_of(observation: Observation) -> str:
    """Path and query of the page."""
    parts = urlsplit(observation.url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def list_audited_gyms() -> list[WebGym]:
    """All gyms whose verdicts are made from a state of the server."""
    return [gym for gym in web_gyms().values() if not isinstance(gym, PageOwned)]


def _is_proof(field: str) -> bool:
    """Whether a field proves that a form was shown: each application has a word of its own."""
    return any(word in field.lower() for word in ("token", "nonce"))
