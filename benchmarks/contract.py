"""`deskhand bench contract`: schemathesis on every route of the real API with PostgreSQL.

All checks of schemathesis are on. Ids of tasks, evaluations and runs that exist are mixed with
generated ones. A stand-in for a worker ends every task soon after it was submitted, so that streams
of events end. One expectation is widened: a body that the OpenAPI document allows may be answered
422, where only the database, a gym or a worker can tell that it names nothing (`"gym": "no such"`).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console

from agent_server.cli.interrupts import run_until_interrupted
from agent_server.episodes.trajectory import Completion, EpisodeResult, Step
from agent_server.settings import Settings
from agent_server.stack.supervisor import Child, Supervisor
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from agent_server.store.tables import utcnow
from benchmarks.api_client import create, fetch
from benchmarks.faults.services import Postgres
from benchmarks.figures import Figure, number
from benchmarks.result import make_result, show
from envs.contract.actions import ActionResult
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict
from envs.io.atomic_write import write_whole
from envs.io.json_client import JsonClient
from envs.io.probe import is_healthy
from envs.providers.local import free_port

EXAMPLES = 150
"""Of each operation, in each run of schemathesis."""
RUN_LIMIT_S = 3600.0
CALL_S = 30
KNOWN = 0.6
"""Share of the path parameters that name what exists."""
END_S = 0.2
MANY = 200
"""Queued episodes of which the stand-in plays none any more, but cancels them."""
DONE = EpisodeResult(Status.SCORED, EndReason.DONE, verdict=Verdict(score=1.0), steps=1)
SHOP_TASK = {"gym": "shop", "template": "price", "seed": 3}
WHOLE_TASK = {"id": "x", "instruction": "y", "evaluator": {"func": "infeasible"}}

SCHEMA = "openapi.json"

Report = dict[str, Any]
"""What schemathesis writes of one run."""


def run(json: Path | None, cases: int, seed: int) -> None:
    """Test, print the figures and write them to `json`. Exits with 1 after a failure."""
    console = Console(highlight=False, soft_wrap=True)
    reports = run_until_interrupted(lambda: check(cases, seed, console), console)
    figures = make_figures(reports)
    show(make_result(figures), console)
    if json is not None:
        write_result(json, reports, f"deskhand bench contract --cases {cases} --seed {seed}")
    if any(report["failures"] or report["errors"] for report in reports):
        raise SystemExit(1)


async def check(cases: int, seed: int, console: Console) -> list[Report]:
    """Runs of schemathesis, each with the next seed, until so many requests were made."""
    reports: list[Report] = []
    with tempfile.TemporaryDirectory(prefix="deskhand-contract-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL is another user
        async with _api(folder) as (url, settings):
            with _ending_tasks(settings):
                ids = await make_known(url, settings, folder)
                config = folder / "schemathesis.toml"
                config.write_text(make_config(ids, settings.api_key))
                while sum(count_cases(report) for report in reports) < cases:
                    console.print(f"seed {seed + len(reports)}")
                    report = await _run_once(url, seed + len(reports), config, folder)
                    reports.append(report)
    return reports


def count_cases(report: Report) -> int:
    """Requests of a run."""
    return int(report["test_cases"]["generated"])


def make_figures(reports: list[Report]) -> dict[str, Figure]:
    """Failures by what they are; an error of schemathesis itself counts as one."""
    failures = Counter[str]()
    for report in reports:
        for group in report["failures"]:
            kind = "server_errors" if "server_error" in group["code"] else "contract_breaks"
            failures[kind] += group["count"]
        failures["contract_breaks"] += sum(group["count"] for group in report["errors"])
    return {
        "contract.cases": number(sum(count_cases(report) for report in reports), "requests"),
        "contract.operations": number(reports[0]["operations"]["tested"], "operations"),
        "contract.server_errors": number(failures["server_errors"], "failures"),
        "contract.contract_breaks": number(failures["contract_breaks"], "failures"),
    }


def write_result(path: Path, reports: list[Report], command: str) -> None:
    """Raises OSError."""
    content = {
        **make_result(make_figures(reports)),
        "command": command,
        "schemathesis": reports[0]["schemathesis_version"],
        "runs": [
            {name: report[name] for name in ("seed", "test_cases", "operations", "phases")}
            | {"failures": report["failures"], "errors": report["errors"]}
            for report in reports
        ],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [orjson.dumps(content, option=orjson.OPT_INDENT_2), b"\n"])


def make_config(ids: dict[str, list[str]], key: str) -> str:
    """Schemathesis' configuration: the key, which it also leaves out and replaces by a wrong one;
    what exists, by the name of its path parameter."""
    lines = ["[auth.openapi.HTTPBearer]", f"bearer = {orjson.dumps(key).decode()}"]
    # HTTP lets a server pass over headers and query parameters that it does not know.
    lines += ["[generation]", "allow-extra-parameters = false"]
    lines += ["[checks.positive_data_acceptance]"]
    allowed = ["2xx", "3xx", "401", "403", "404", "409", "422", "429"]
    lines += [f"expected-statuses = {orjson.dumps(allowed).decode()}"]
    for name, values in ids.items():
        lines += [f"[dictionaries.{name}]", f"values = {orjson.dumps(values).decode()}"]
    lines += ["[parameters]"]
    lines += [f'"path.{name}" = {{ dictionary = "{name}", probability = {KNOWN} }}' for name in ids]
    return "\n".join(lines) + "\n"


async def make_known(url: str, settings: Settings, folder: Path) -> dict[str, list[str]]:
    """Tasks and an evaluation that exist; the OpenAPI document is left in the folder. Raises
    CallFailed, ApiRefused."""
    headers = {"x-api-key": settings.api_key}
    async with JsonClient(url, timeout_s=60, headers=headers) as client:
        tasks = [await create(client, "/v1/tasks", SHOP_TASK | {"seed": seed}) for seed in range(3)]
        body = {"tasks": [WHOLE_TASK], "policy": "noop"}
        evaluation = await create(client, "/v1/evaluations", body)
        (folder / SCHEMA).write_bytes(orjson.dumps(await fetch(client, "/openapi.json")))
    return {
        "task_id": tasks,
        "evaluation_id": [evaluation],
        "run_id": ["api", evaluation],
        "name": ["000.jpeg"],
    }


@contextlib.asynccontextmanager
async def _api(folder: Path) -> AsyncIterator[tuple[str, Settings]]:
    """The API on a PostgreSQL of its own."""
    (folder / "logs").mkdir()
    postgres, port = Postgres(folder / "postgres", free_port()), free_port()
    await asyncio.to_thread(postgres.create)
    settings = Settings(
        run_dir=folder / "run", database_url=postgres.url(), api_key=secrets.token_urlsafe(24)
    )
    url = f"http://127.0.0.1:{port}"

    async with Supervisor() as supervisor:
        await supervisor.add(postgres.child())
        await supervisor.add(
            Child(
                name="api",
                command=[sys.executable, "-m", "agent_server.api", "--port", str(port)],
                environment=settings.to_env(),
                log_path=folder / "logs" / "api.log",
                ready=partial(is_healthy, f"{url}/v1/health"),
            )
        )
        yield url, settings


@contextlib.contextmanager
def _ending_tasks(settings: Settings) -> Iterator[None]:
    stopped = threading.Event()

    def end_tasks() -> None:
        artifacts = Artifacts(settings.artifacts)
        with Store.open(settings) as store:
            while not stopped.wait(END_S):
                waiting = store.episodes.waiting(utcnow() - timedelta(seconds=END_S), 10 * MANY)
                for episode_id in waiting[:MANY]:
                    _end(store, artifacts, episode_id)
                store.episodes.cancel(waiting[MANY:])

    thread = threading.Thread(target=end_tasks, name="stand-in for a worker")
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def _end(store: Store, artifacts: Artifacts, episode_id: str) -> None:
    if store.episodes.lease(episode_id, "bench") is None:
        return
    with Recorder(artifacts, episode_id) as recorder:
        completion = Completion(text="done")
        recorder.record_step(
            Step(index=0, prompt="", completion=completion, result=ActionResult.success())
        )
        recorder.finish(DONE, {})
    store.episodes.finish(episode_id, "bench", DONE)


async def _run_once(url: str, seed: int, config: Path, folder: Path) -> Report:
    """Raises RuntimeError where schemathesis itself fails."""
    place = folder / f"report-{seed}.json"
    command = [str(Path(sys.executable).with_name("st")), "--config-file", str(config), "run"]
    command += [str(folder / SCHEMA), "--url", url, "--checks", "all"]
    command += ["--continue-on-failure", "--max-examples", str(EXAMPLES), "--seed", str(seed)]
    command += ["--request-timeout", str(CALL_S), "--report", "json"]
    command += ["--report-json-path", str(place), "--suppress-health-check", "all"]

    def call() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=folder,
            env=os.environ | {"NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=RUN_LIMIT_S,
            check=False,
        )

    ended = await asyncio.to_thread(call)
    if not place.exists():
        raise RuntimeError(f"schemathesis ended with {ended.returncode}: {ended.stderr[-2000:]}")
    report: Report = orjson.loads(place.read_bytes())
    if report["failures"] or report["errors"]:
        sys.stderr.write(ended.stdout)
    return report
