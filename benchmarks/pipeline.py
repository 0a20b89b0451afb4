"""`deskhand bench pipeline`: the async pipeline of reinforcement beside the synchronous one.

The same reinforcement from the same base policy on the real stack, once in each pipeline: the same
number of learner steps of the same number of episodes. First with the policy on this machine, then
with a delay on each of its answers, which costs this machine nothing: as if a GPU elsewhere served
it. `env_steps_per_s` counts the steps of episodes that were trained on, over the seconds from the
start of the phase to the end of its last learner step. `busy` is the share of all processors' time
that was worked in these seconds: where it is near 1, no other order of the same work is faster.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console

from agent_server.provenance import ROOT
from agent_server.run_metrics import read_metrics
from benchmarks.figures import Figure, number
from benchmarks.processors import ProcessorLog
from benchmarks.result import report

PIPELINES = ("sync", "one_step", "async")
REMOTE = "remote"
PARTS = ("local", REMOTE)
DELAY_S = 1.5
"""Of a remote policy, each answer: a 9B model that thinks for some hundred tokens."""
MOST_CONCURRENCY = 256
"""Episodes in flight that a worker's setting allows."""
GROUP_SIZE, GROUPS, MAX_STALENESS = 4, 6, 1
SETTINGS = (
    "schedule=['reinforce']",
    "env.tasks=['people']",
    "model.path={root}/policies/reader",
    "eval.episodes=1",
    "eval.dev_episodes=0",
    "eval.greedy=false",
    "eval.control_episodes=0",
    f"reinforce.group_size={GROUP_SIZE}",
)
WINDOW = 3
"""Learner steps over which training success is averaged."""
RUN_S = 1800.0


@dataclass(frozen=True, slots=True)
class Work:
    """What each run does: `groups` of a learner step; `max_staleness` is for what is not `sync`."""

    iterations: int = 12
    groups: int = GROUPS
    max_staleness: int = MAX_STALENESS

    @property
    def suffix(self) -> str:
        """Of the figures' names; nothing for the row that every release has."""
        staleness = f"_staleness{self.max_staleness}" if self.max_staleness != MAX_STALENESS else ""
        return staleness + (f"_groups{self.groups}" if self.groups != GROUPS else "")

    def settings(self, part: str) -> list[str]:
        """Of a run. With a remote policy the worker has room for as many episodes at once as
        `async` may have in flight: one that waits for a machine elsewhere costs this one nothing.
        `sync` has the same room, and fills a part of it."""
        chosen = [
            f"reinforce.iterations={self.iterations}",
            f"reinforce.groups={self.groups}",
            f"reinforce.max_staleness={self.max_staleness}",
        ]
        if part != REMOTE:
            return chosen
        in_flight = (self.max_staleness + 1) * self.groups * GROUP_SIZE
        room = min(in_flight, MOST_CONCURRENCY)
        return [*chosen, f"serve.policy_delay_s={DELAY_S}", f"serve.concurrency={room}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineRun:
    """What one run did: `ended_s` and `success` of each learner step, seconds from the start of
    the phase; `busy`, the share of the processors' time that was worked until the last of them."""

    ended_s: tuple[float, ...]
    success: tuple[float, ...]
    steps: int
    idle: dict[str, float | None]
    busy: float
    refused_share: float
    length_ratio: float

    @property
    def env_steps_per_s(self) -> float:
        """Environment steps trained on, a second."""
        return self.steps / self.ended_s[-1]

    def time_to(self, success: float) -> float | None:
        """Seconds until the mean training success of WINDOW learner steps was as high; None: it
        never was."""
        for index, mean in enumerate(moving_means(self.success), start=WINDOW - 1):
            if mean >= success:
                return self.ended_s[index]
        return None


def run(json: Path | None, work: Work, parts: Sequence[str]) -> None:
    """Measures, prints the figures and writes them to `json`."""
    console = Console()
    figures: dict[str, Figure] = {}
    for part in parts:
        settings = work.settings(part)
        runs = {pipeline: measure(pipeline, settings, console) for pipeline in PIPELINES}
        figures |= compare(runs, (f"_{part}" if part == REMOTE else "") + work.suffix)
    figures["pipeline.remote_delay_s"] = number(DELAY_S, "s")
    report(figures, console, json)


def measure(pipeline: str, further: Sequence[str], console: Console) -> PipelineRun:
    """One run in a process of its own. Raises CalledProcessError."""
    settings = [setting.format(root=ROOT) for setting in (*SETTINGS, *further)]
    settings.append(f"reinforce.pipeline={pipeline}")
    chosen = [part for setting in settings for part in ("--set", setting)]
    # On Ctrl-C the run is still writing while it stops.
    with tempfile.TemporaryDirectory(
        prefix="deskhand-bench-", ignore_cleanup_errors=True
    ) as folder:
        where = ["--runs", folder, "--name", pipeline]
        command = [sys.executable, "-m", "agent_server", "train", *where, *chosen]
        with (
            console.status(f"{pipeline} {' '.join(further)}: three to ten minutes"),
            ProcessorLog() as processors,
        ):
            subprocess.run(command, check=True, timeout=RUN_S, capture_output=True)
        return read_run(Path(folder) / pipeline, processors)


def read_run(run_dir: Path, processors: ProcessorLog) -> PipelineRun:
    """The figures of a finished run, in which `processors` were logged."""
    result: dict[str, Any] = orjson.loads((run_dir / "report.json").read_bytes())
    run_file: dict[str, Any] = orjson.loads((run_dir / "run.json").read_bytes())
    began: float = run_file["records"][0]["windows"][0][0]
    events = [event for event in read_metrics(run_dir) if event["event"] == "reinforce"]
    staleness = result["staleness"]
    return PipelineRun(
        ended_s=tuple(event["time"] - began for event in events),
        success=tuple(event["success"] for event in events),
        steps=run_file["staleness"]["steps"],
        idle=result["throughput"]["idle"],
        busy=processors.share(began, events[-1]["time"]),
        refused_share=staleness["refused_share"],
        length_ratio=staleness["steps_mean_kept"] / staleness["steps_mean_all"],
    )


def compare(runs: dict[str, PipelineRun], suffix: str) -> dict[str, Figure]:
    """Figures of each pipeline, and of async over sync. The success whose time is compared is the
    highest that every one of them reached."""
    level = min(max(moving_means(each.success)) for each in runs.values())
    figures: dict[str, Figure] = {
        f"pipeline.async_speedup{suffix}": number(
            runs["async"].env_steps_per_s / runs["sync"].env_steps_per_s, "x"
        ),
        f"pipeline.success_level{suffix}": number(level, "of training episodes"),
    }
    for pipeline, each in runs.items():
        name = f"pipeline.{pipeline}{suffix}"
        figures[f"{name}.env_steps_per_s"] = number(each.env_steps_per_s, "1/s")
        figures[f"{name}.seconds"] = number(each.ended_s[-1], "s")
        reached_s = each.time_to(level)
        if reached_s is not None:
            figures[f"{name}.time_to_success_s"] = number(reached_s, "s")
        figures[f"{name}.busy"] = number(each.busy, "of the processors' time")
        for part, share in each.idle.items():
            if share is not None:
                figures[f"{name}.idle_{part}"] = number(share, "of the phase")
        figures[f"{name}.refused"] = number(each.refused_share, "of the episodes")
        figures[f"{name}.kept_length"] = number(each.length_ratio, "of the mean of all")
    return figures


def moving_means(values: Sequence[float]) -> list[float]:
    """Means of WINDOW values behind one another. Raises ValueError where there are fewer."""
    if len(values) < WINDOW:
        raise ValueError(f"{len(values)} learner steps are too few: at least {WINDOW}")
    return [sum(values[at : at + WINDOW]) / WINDOW for at in range(len(values) - WINDOW + 1)]
