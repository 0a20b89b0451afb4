"""Oracles of generated apps on their pages, in this process: no server, no browser."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from starlette.testclient import TestClient

from envs.contract.actions import Done, Infeasible
from envs.contract.session import Verdict
from envs.contract.task import Task
from envs.gyms.generated.catalogue import find_gym
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.app import COOKIE, create_app
from envs.gyms.server.sessions import GymSession, SessionStore
from tests.envs.gyms.driver import Driver

KEY = "test"


@dataclass(frozen=True)
class Played:
    """An episode that ended."""

    session: GymSession
    verdict: Verdict
    answer: str | None
    steps: int


@cache
def _serve() -> tuple[SessionStore, TestClient]:
    store = SessionStore()
    return store, TestClient(create_app("token", store))


def get_generated(name: str) -> AppGym:
    gym = find_gym(name)
    assert gym is not None, name
    return gym


def open_pages(gym: AppGym, task: Task) -> tuple[GymSession, Driver]:
    store, client = _serve()
    session = store.put(KEY, task, gym.initial_state(task), gym.initial_state(task))
    client.cookies.set(COOKIE, KEY)
    return session, Driver(client, gym.start_path(task))


def play(gym: AppGym, task: Task) -> Played:
    """The oracle's episode, to its end."""
    session, driver = open_pages(gym, task)
    oracle = gym.oracle(task)
    for step in range(task.limits.max_steps):
        move = oracle.move(driver.observe())
        if isinstance(move.action, Done | Infeasible):
            answer = move.action.answer if isinstance(move.action, Done) else None
            gave_up = isinstance(move.action, Infeasible)
            verdict = gym.verdict(task, session.before, session.state, answer, gave_up)
            return Played(session, verdict, answer, step)
        result = driver.act(move.action)
        assert result.ok, (task.id, move, result)
    raise AssertionError(f"{task.id}: no end after {task.limits.max_steps} steps")
