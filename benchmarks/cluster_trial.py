"""`deskhand bench cluster`: the training loop with every part on a machine of its own.

The machines are namespaces (`benchmarks/cluster/`). The same short recipe is trained on one machine
and on the cluster, where machines are taken away in mid-run; then everything is accounted for. It
fails, with a sentence for each find, where an episode was lost, a swap was not verified, the two
reports differ in what they tell, a machine did nothing after its return, or a process is left.
"""

from __future__ import annotations

import contextlib
import json
import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.table import Table

from agent_server.provenance import ROOT
from agent_server.store.store import Store
from benchmarks.calibration import calibrate
from benchmarks.cluster.account import (
    OutageAccount,
    account_outage,
    compare_shapes,
    find_open,
)
from benchmarks.cluster.cluster import Cluster
from benchmarks.cluster.course import Course
from benchmarks.cluster.machine import Machine, Site, processes_in
from benchmarks.cluster.network import CannotSeparate, Network
from benchmarks.cluster.parts import (
    ALONE,
    RUN,
    make_alone,
    make_secrets,
    make_services,
    make_trainer,
    settings_of_operator,
)
from benchmarks.figures import Figure, number
from benchmarks.result import make_result, show
from envs.io.atomic_write import write_whole
from trainer.config import ServeConfig
from trainer.config_file import load_config

ALONE_S = 1500.0
TOLERANCE = ServeConfig().swap_tolerance
CONFIG = ROOT / "configs" / "smoke.toml"
OVERRIDES = (
    "schedule=['imitate', 'reinforce']",
    *("imitate.episodes=18", "imitate.updates=10", "imitate.max_minutes=2"),
    *("reinforce.iterations=8", "reinforce.groups=4", "reinforce.group_size=4"),
    *("reinforce.max_minutes=12", "serve.concurrency=8"),
    *("eval.episodes=12", "eval.dev_episodes=6", "eval.greedy=false"),
    *("eval.unseen_episodes=3", "eval.control_episodes=2"),
)
"""The smoke preset, smaller still: it shows that the loop runs, and teaches next to nothing."""
OPTIONS = ("--config", str(CONFIG), *(part for pair in OVERRIDES for part in ("--set", pair)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What both runs left."""

    alone: dict[str, Any]
    cluster: dict[str, Any]
    outages: list[OutageAccount]
    machines: dict[str, dict[str, Any]]
    """By name: address, episodes, bytes of its cable."""
    finds: list[str]


def run(path: Path | None, logs: Path | None) -> None:
    """Print the account, and write it to `path`. Exits with 1 after a find."""
    console = Console(highlight=False, soft_wrap=True)
    calibration = calibrate()
    try:
        trial = _try_all(console, logs)
    except CannotSeparate as error:
        raise SystemExit(str(error)) from error
    _print_tables(console, trial)
    figures = make_figures(trial)
    result = make_result(figures, calibration)
    show(result, console)
    for text in trial.finds:
        console.print(f"FIND {text}")
    if path is not None:
        content = {**result, **asdict(trial), "recipe": list(OVERRIDES)}
        for name in ("alone", "cluster"):
            content[name] = _summary(content[name])
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [orjson.dumps(content, option=orjson.OPT_INDENT_2), b"\n"])
    if trial.finds:
        raise SystemExit(1)


def _try_all(console: Console, logs: Path | None) -> Trial:
    if ROOT.is_relative_to("/tmp"):
        raise CannotSeparate("the checkout is below /tmp, which each machine has for itself")
    with _folder(logs) as folder:
        network = Network()
        network.make()
        site = Site(folder, network)
        config = load_config(CONFIG, OVERRIDES)
        secrets = make_secrets(folder / "operator")
        parts = [
            *make_services(secrets, config),
            make_trainer(secrets, config, OPTIONS),
            make_alone(OPTIONS),
        ]
        cluster = Cluster(site, parts)
        console.print(f"{len(parts) - 1} machines")
        settings = settings_of_operator(secrets, cluster.addresses, site.runs)
        with cluster.services_on(), Store.open(settings) as store:
            course = Course(cluster, store, lambda text: console.print(f"  {text}"))
            code = course.run()
            report = json.loads((site.runs / RUN / "report.json").read_text())
            finds = [] if code == 0 else [f"the trainer ended with {code}"]
            outages, machines = _account(course, store, finds)
        console.print("the same on one machine")
        alone = _train_alone(cluster.machines[ALONE])
        finds += _compare(alone, report)
        networks = {seen for machine in cluster.machines.values() for seen in machine.networks_seen}
        if pids := processes_in(networks):
            finds.append(f"{len(pids)} processes of the machines are left")
    return Trial(alone=alone, cluster=report, outages=outages, machines=machines, finds=finds)


@contextlib.contextmanager
def _folder(logs: Path | None) -> Iterator[Path]:
    """Below /tmp, which each machine replaces by its own; the logs are kept in `logs`."""
    with tempfile.TemporaryDirectory(
        prefix="deskhand-cluster-", dir="/tmp", ignore_cleanup_errors=True
    ) as name:
        folder = Path(name)
        try:
            yield folder
        finally:
            if logs is not None and (folder / "logs").exists():
                logs.mkdir(parents=True, exist_ok=True)
                for log in (folder / "logs").iterdir():
                    (logs / log.name).write_bytes(log.read_bytes())


def _train_alone(machine: Machine) -> dict[str, Any]:
    """The report of the run on one machine. Raises RuntimeError."""
    machine.switch_on()
    try:
        code = machine.wait(ALONE_S)
    finally:
        machine.switch_off()
    if code != 0:
        log = machine.site.log_of(machine.name).read_text(errors="replace")
        raise RuntimeError(f"the run on one machine ended with {code}: {log[-2000:]}")
    report: dict[str, Any] = json.loads((machine.disk / ALONE / "report.json").read_text())
    return report


def _account(
    course: Course, store: Store, finds: list[str]
) -> tuple[list[OutageAccount], dict[str, dict[str, Any]]]:
    rows = course.rows()
    finds += find_open(rows)
    counts = store.episodes.accounting(RUN)
    if not counts.is_balanced:
        finds.append(f"the accounts do not balance: {counts}")
    outages = []
    for outage in course.outages:
        machine_of = course.machines_of_episodes(outage.machine)
        outages.append(account_outage(outage, rows, machine_of))
        finds += outages[-1].finds
    finds += [
        f"version {row.version} was swapped in, and its probes say {row.verify}"
        for row in store.runs.versions(RUN)
        if row.status == "live" and not (row.verify.get("mean_abs_diff", math.inf) <= TOLERANCE)
    ]
    cluster = course.cluster
    hosts = [cluster.hosts_of_episodes(), course.machines_of_episodes("worker-1")]
    episodes = [name for host in hosts for name in host.values()]
    machines = {
        name: {
            "address": machine.address,
            "episodes": episodes.count(name) or None,
            "megabytes": round(cluster.site.network.bytes_of(name) / 1e6, 2),
        }
        for name, machine in cluster.machines.items()
        if name != ALONE
    }
    return outages, machines


def _compare(alone: Mapping[str, Any], report: Mapping[str, Any]) -> list[str]:
    finds = [f"the reports differ: {text}" for text in compare_shapes(alone, report)]
    swaps = report["swaps"]
    if not swaps["count"] or swaps["rejected"]:
        finds.append(f"swaps: {swaps}")
    if [phase["name"] for phase in report["phases"]] != ["imitate", "reinforce"]:
        finds.append(f"phases: {[phase['name'] for phase in report['phases']]}")
    return finds


def make_figures(trial: Trial) -> dict[str, Figure]:
    """What documents quote."""
    figures = {
        "cluster.machines": number(len(trial.machines), "machines"),
        "cluster.episodes": number(trial.cluster["episodes"]["dispatched"], "episodes"),
        "cluster.lost": number(
            sum(sum(outage.reasons.values()) for outage in trial.outages), "episodes, tried again"
        ),
        "cluster.finds": number(len(trial.finds), "finds"),
        "cluster.swaps": number(trial.cluster["swaps"]["count"], "swaps"),
    }
    for name, report in (("alone", trial.alone), ("cluster", trial.cluster)):
        figures[f"{name}.wall_s"] = number(report["wall_s"], "s")
        for key in ("env_steps_per_s", "env_steps_per_s_eval", "trained_tokens_per_s"):
            if (value := report["throughput"][key]) is not None:
                figures[f"{name}.{key}"] = number(value, "/s")
        figures[f"{name}.swap_pause_ms"] = number(report["swaps"]["pause_ms"]["p50"], "ms")
    return figures


def _summary(report: Mapping[str, Any]) -> dict[str, Any]:
    """Without the configuration and the definitions, which are the same in every report."""
    return {key: value for key, value in report.items() if key not in ("config", "definitions")}


def _print_tables(console: Console, trial: Trial) -> None:
    _print(
        console,
        ["machine", "address", "episodes", "MB through its cable"],
        [
            [name, entry["address"], entry["episodes"] or "", entry["megabytes"]]
            for name, entry in trial.machines.items()
        ],
    )
    _print(
        console,
        ["taken away", "what", "away s", "held", "lost", "noticed s", "again s", "back s", "then"],
        [
            [
                *(outage.machine, outage.kind, outage.away_s, outage.held),
                ", ".join(f"{n} {reason}" for reason, n in outage.reasons.items()) or 0,
                *(outage.noticed_s, outage.again_s, outage.back_s, outage.after_return),
            ]
            for outage in trial.outages
        ],
    )


def _print(console: Console, names: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    table = Table(*names)
    for row in rows:
        table.add_row(*("-" if value is None else str(value) for value in row))
    console.print(table)
