"""A real gym server process, its admin routes, and oracle episodes in it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from envs.contract.actions import Done, Infeasible
from envs.contract.session import Verdict
from envs.contract.task import Task
from envs.gyms.server.rejudge import rejudge
from envs.state.gym_evidence import GymEvidence
from tasksets.registry import get_gym
from tests.envs.gyms.driver import Driver

TOKEN = "test-admin-token"


@dataclass
class GymServer:
    url: str
    admin: httpx.Client

    def put(self, key: str, task: Task) -> dict[str, Any]:
        reply = self.admin.put(f"/_admin/sessions/{key}", json=task.model_dump(mode="json"))
        assert reply.status_code == 200, reply.text
        return dict(reply.json())

    def view(self, key: str) -> dict[str, Any]:
        return dict(self.admin.get(f"/_admin/sessions/{key}").json())

    def verdict(self, key: str, answer: str | None = None, infeasible: bool = False) -> Verdict:
        """It must be the same when it is made again from what would be kept."""
        body = {"answer": answer, "infeasible": infeasible}
        reply = self.admin.post(f"/_admin/sessions/{key}/verdict", json={**body, "keep": True})
        assert reply.status_code == 200, reply.text
        data, view = reply.json(), self.view(key)
        kept = {"change": data.pop("change"), "state_hash": data.pop("state_hash")}
        assert kept["state_hash"] == view["state_hash"]
        verdict = Verdict.model_validate(data)
        again = rejudge(GymEvidence.model_validate({"task": view["task"], **body, **kept}))
        assert again.details.pop("state_hash") == kept["state_hash"]
        assert again == verdict
        return verdict

    def page_client(self, key: str) -> httpx.Client:
        return httpx.Client(base_url=self.url, cookies={"dh_session": key})

    def driver(self, key: str, task: Task) -> Driver:
        return Driver(self.page_client(key), self.put(key, task)["start_path"])


@dataclass
class Run:
    """One oracle episode."""

    verdict: Verdict
    steps: int
    answer: str | None
    infeasible: bool
    trees: list[str]
    thoughts: list[str]


@contextmanager
def running_server() -> Iterator[GymServer]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "envs.gyms.server", "--port", str(port)],
        env=os.environ | {"DESKHAND_GYM_ADMIN_TOKEN": TOKEN},
    )
    url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=url, headers={"X-Admin-Token": TOKEN}) as admin:
            _wait_until_up(admin, process)
            yield GymServer(url, admin)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) in (0, -signal.SIGTERM)
    finally:
        process.kill()
        process.wait(10)


def _wait_until_up(admin: httpx.Client, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        assert process.poll() is None, "the gym server ended at once"
        try:
            if admin.get("/healthz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError("the gym server did not come up in 30 s")


def drive(server: GymServer, key: str, task: Task, driver: Driver) -> Run:
    """Lets the oracle act until it ends the episode or the limit is reached."""
    oracle = get_gym(task.gym or "").oracle(task)
    trees: list[str] = []
    thoughts: list[str] = []
    for step in range(task.limits.max_steps):
        observation = driver.observe()
        assert observation.tree is not None
        trees.append(observation.tree.text)
        move = oracle.move(observation)
        thoughts.append(move.thought)
        result = driver.act(move.action)
        assert result.ok or not driver.most_options, (task.id, move, result)
        if isinstance(move.action, Done | Infeasible):
            answer = move.action.answer if isinstance(move.action, Done) else None
            gave_up = isinstance(move.action, Infeasible)
            verdict = server.verdict(key, answer, gave_up)
            return Run(verdict, step + 1, answer, gave_up, trees, thoughts)
    raise AssertionError(f"{task.id}: no end after {task.limits.max_steps} steps\n{trees[-1]}")
