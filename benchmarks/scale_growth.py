"""The model from 64 to 4,096 sessions: throughput, queues, what is full first, the price of a day.

Machines like this one, each with its worker, env host and gym server; one PostgreSQL, one Redis and
one process that sends episodes for all of them. Episodes never run out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
from matplotlib.axes import Axes

from agent_server.html.plots import BLUE, GREEN, ORANGE, SERIES, plot
from benchmarks.figures import Figure, number, quantile
from benchmarks.scale_check import Compared
from benchmarks.simulation.system import Costs, Outcome, Plan, Policy, simulate
from envs.io.atomic_write import write_whole

SIZES = (64, 256, 1024, 2048, 4096)
SECONDS = 60.0
THINK_S = 1.5
"""Of the policy, elsewhere: a 9B model that thinks for some hundred tokens, as in `pipeline`."""
SESSIONS_EACH = 32
"""On a machine: as many episodes as a worker has."""
SHARED_CORES = 2
"""Of the database's machine."""
FULL = 0.9
HOURS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """One size. `cores`: of all machines together, without the policy's."""

    sessions: int
    cores: int
    outcome: Outcome

    @property
    def fullest(self) -> str:
        """What is busy for the largest share of the time."""
        busy = self.outcome.busy
        return max(busy, key=lambda name: busy[name])


def grow(costs: Costs, sizes: Sequence[int] = SIZES) -> list[Grown]:
    """About a minute of computing for all sizes."""
    cores = psutil.cpu_count() or 1
    grown = []
    for size in sizes:
        machines = max(1, size // SESSIONS_EACH)
        plan = Plan(
            machines=machines,
            sessions=min(size, SESSIONS_EACH),
            cores=cores,
            policy=Policy(think_s=THINK_S),
            seconds=SECONDS,
            database_cores=SHARED_CORES,
        )
        # Beside the machines: that of the database, and one of broker and sender.
        total = machines * cores + SHARED_CORES + cores
        grown.append(Grown(sessions=size, cores=total, outcome=simulate(costs, plan)))
    return grown


def make_figures(grown: Sequence[Grown], core_hour: float) -> dict[str, Figure]:
    """Figures of each size; money at the price of a processor's hour."""
    figures, unit = dict[str, Figure](), f"at {core_hour:g} a core-hour"
    for each in grown:
        name, outcome = f"scale.sessions_{each.sessions}", each.outcome
        figures |= {
            f"{name}.steps_per_s": number(outcome.steps_per_s, "steps/s"),
            f"{name}.episodes_per_s": number(outcome.ended / outcome.seconds, "episodes/s"),
            f"{name}.start_ms_p95": number(1000 * quantile(outcome.queued_s, 0.95), "ms"),
            f"{name}.a_day": number(each.cores * HOURS * core_hour, unit),
            f"{name}.a_million_steps": number(
                each.cores * core_hour / (outcome.steps_per_s * 3600) * 1e6, unit
            ),
        }
        figures |= {
            f"{name}.busy.{part}": number(100 * share, "% of the time")
            for part, share in outcome.busy.items()
        }
    return figures


def write_plots(folder: Path, compared: Sequence[Compared], grown: Sequence[Grown]) -> None:
    """scale_model.svg, scale_throughput.svg and scale_busy.svg."""

    def draw_check(axes: Axes) -> None:
        sessions = [each.real.sessions for each in compared]
        axes.plot(sessions, [each.real.steps_per_s for each in compared], "o-", color=BLUE)
        axes.plot(sessions, [each.steps_per_s for each in compared], "s--", color=ORANGE)
        axes.legend(["real", "model"], fontsize=8, frameon=False)
        axes.set_xlabel("sessions")

    def draw_throughput(axes: Axes) -> None:
        sizes = [each.sessions for each in grown]
        axes.loglog(sizes, [each.outcome.steps_per_s for each in grown], "o-", color=GREEN)
        axes.set_xlabel("sessions")

    def draw_busy(axes: Axes) -> None:
        sizes = [each.sessions for each in grown]
        for part, color in zip(grown[0].outcome.busy, SERIES, strict=False):
            shares = [100 * each.outcome.busy[part] for each in grown]
            axes.semilogx(sizes, shares, "o-", color=color, label=part)
        axes.legend(fontsize=8, frameon=False)
        axes.set_xlabel("sessions")

    folder.mkdir(parents=True, exist_ok=True)
    for name, title, draw in (
        ("scale_model", "steps/s: the model beside reality", draw_check),
        ("scale_throughput", "steps/s of all sessions (model)", draw_throughput),
        ("scale_busy", "% of the time busy (model)", draw_busy),
    ):
        write_whole(folder / f"{name}.svg", [str(plot(title, draw)).encode()])
