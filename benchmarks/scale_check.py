"""The model beside reality: calibrated at few sessions, compared at 4, 8 and 16.

Before each run that is compared stands one that calibrates, so that both meet the same machine; the
costs are those of all calibrating runs. What others on the machine used during a compared run is
told to the model: it is no part of the system.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import psutil

from agent_server.settings import Settings
from benchmarks.figures import Figure, number, quantile
from benchmarks.scale_costs import calibrate, calibrate_store
from benchmarks.scale_runs import RealRun, run_really
from benchmarks.simulation.system import Costs, Plan, Policy, simulate

FEW = 2
"""Sessions of a run that calibrates."""
SIZES = (4, 8, 16)
EPISODES_EACH = 18
"""By session: most wait for a session that others have had before."""
SEEDS = 5
QUIET_CORES = 0.3
"""Beyond it, what was measured at few sessions holds the waits for others as if they were work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A real run and what the model says of it: means over SEEDS."""

    real: RealRun
    steps_per_s: float
    queued_s: float
    step_ms: float

    @property
    def error(self) -> float:
        """Of steps/s, as a share of the real ones."""
        return self.steps_per_s / self.real.steps_per_s - 1

    @property
    def queue_error(self) -> float:
        """Of the median time until an episode begins."""
        return self.queued_s / get_queued_s(self.real) - 1


def check(
    settings: Settings, think_s: float, say: Callable[[str], None]
) -> tuple[Costs, list[Compared]]:
    """About five minutes on an idle machine."""
    store, few, many = calibrate_store(settings), list[RealRun](), list[RealRun]()
    for sessions in SIZES:
        for size, runs in ((FEW, few), (sessions, many)):
            real = run_really(settings, size, EPISODES_EACH * size, think_s)
            say(
                f"{size} sessions: {real.steps_per_s:.2f} steps/s, others used "
                f"{real.other_cores:.2f} processors"
            )
            if real.other_cores > QUIET_CORES:
                say("this machine is not quiet: the error will say little about the model")
            runs.append(real)
    costs = calibrate(few, store)
    return costs, [compare(costs, real) for real in many]


def compare(costs: Costs, real: RealRun) -> Compared:
    """What the model says of a run."""
    outcomes = [simulate(costs, make_plan(real), seed) for seed in range(SEEDS)]
    return Compared(
        real=real,
        steps_per_s=fmean(each.steps_per_s for each in outcomes),
        queued_s=fmean(quantile(each.queued_s, 0.5) for each in outcomes),
        step_ms=fmean(1000 * quantile(each.step_s, 0.5) for each in outcomes),
    )


def make_plan(real: RealRun) -> Plan:
    """The plan of a real run on this machine."""
    return Plan(
        machines=1,
        sessions=real.sessions,
        cores=psutil.cpu_count() or 1,
        policy=Policy(think_s=real.think_s),
        episodes=len(real.episodes),
        other_cores=real.other_cores,
    )


def get_queued_s(real: RealRun) -> float:
    """Median time until an episode began."""
    return quantile([each.queued_s for each in real.episodes], 0.5)


def make_figures(compared: Sequence[Compared]) -> dict[str, Figure]:
    """`scale.model_error` is the largest error of steps/s, without its sign."""
    figures = {
        "scale.model_error": number(100 * max(abs(each.error) for each in compared), "%"),
        "scale.model_queue_error": number(
            100 * max(abs(each.queue_error) for each in compared), "%"
        ),
    }
    for each in compared:
        name = f"scale.model.{each.real.sessions}"
        figures |= {
            f"{name}.steps_per_s": number(each.steps_per_s, "steps/s, model"),
            f"{name}.real_steps_per_s": number(each.real.steps_per_s, "steps/s"),
            f"{name}.queued_s": number(each.queued_s, "s, model"),
            f"{name}.real_queued_s": number(get_queued_s(each.real), "s"),
            f"{name}.other_cores": number(each.real.other_cores, "processors of others"),
        }
    return figures
