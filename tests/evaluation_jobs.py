"""Evaluation jobs for tests: started as a user starts them, and read from their folder."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from agent_server.evaluation.job.plan import Evaluation
from agent_server.store.queries import Accounting, GroupMember
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.outcomes import Status


def deskhand(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "agent_server", "eval", *arguments]


def ended(*arguments: str, code: int = 0) -> str:
    done = subprocess.run(
        deskhand(*arguments), capture_output=True, text=True, timeout=200, check=False,
        env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@contextlib.contextmanager
def started(output: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    with output.open("wb") as log:
        process = subprocess.Popen(
            deskhand(*arguments), stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(60)


def members(folder: Path) -> dict[tuple[str, int], GroupMember]:
    if not (folder / "deskhand.db").exists():
        return {}
    with Store(f"sqlite:///{folder / 'deskhand.db'}") as store:
        return store.episodes.members(Evaluation.read(folder).run_id)


def arrived(folder: Path) -> int:
    return sum(slot.state == "arrived" for slot in members(folder).values())


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 120
    while not condition():
        assert process.poll() is None, "the job ended too early"
        assert time.monotonic() < until
        time.sleep(0.1)


def scored(folder: Path) -> dict[str, Episode]:
    with Store(f"sqlite:///{folder / 'deskhand.db'}") as store:
        run_id = Evaluation.read(folder).run_id
        page = store.episodes.page(run_id=run_id, status=[Status.SCORED], limit=500)
    return {row.id: row for row in page.episodes}


def accounting(folder: Path) -> Accounting:
    with Store(f"sqlite:///{folder / 'deskhand.db'}") as store:
        return store.episodes.accounting(Evaluation.read(folder).run_id)


def table(figures: Path) -> list[dict[str, Any]]:
    """What must not depend on how the job went: all but times."""
    job_figures = json.loads(figures.read_text())
    assert job_figures["complete"]
    for policy in job_figures["policies"]:
        for row in (policy["total"], *policy["domains"]):
            del row["wall_s"], row["time_s"]
    policies: list[dict[str, Any]] = job_figures["policies"]
    return policies
