"""The schedule of a run: each phase, then its evaluation, and a checkpoint after every part.

Guarantees: what is done is on disk before the next part begins, so a run that was stopped or killed
continues at the phase, iteration or evaluation where it was; `run.json` says how far it is.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

from trainer.checkpoints import save_checkpoint
from trainer.collector import Staleness
from trainer.context import Context, PhaseRecord
from trainer.critic import Critic
from trainer.evaluation import evaluate
from trainer.phase_order import PhaseKind, phase_names
from trainer.phases.expert_iteration import expert_iteration
from trainer.phases.imitate import imitate
from trainer.phases.pulse import pulse
from trainer.phases.reinforce import reinforce
from trainer.phases.states import measure_entropy
from trainer.pipeline.controller import GroupState
from trainer.run_file import RunFile
from trainer.samples import Picture, Sample
from trainer.threads import in_thread


@dataclasses.dataclass(slots=True)
class Position:
    """How far the schedule is: index of the phase, iterations of it that are done, whether its
    training is done and only the evaluation is missing. `wall_s` counts earlier processes too."""

    phase: int = 0
    iteration: int = 0
    trained: bool = False
    saves: int = 0
    wall_s: float = 0.0
    groups: list[GroupState] = dataclasses.field(default_factory=list)
    """of the reinforce phase under way, in the order of submission"""


async def run_schedule(context: Context, position: Position, began: float) -> None:
    """Runs from `position` to the end; `began` is when this process started the run (monotonic)."""
    schedule = _Schedule(context, position, began)
    if position.saves == 0:
        # A run that is killed in its first phase begins again with the same policy.
        await schedule.save(phase=0)
    for index in range(position.phase, len(context.config.schedule)):
        await schedule.run_phase(index)


class _Schedule:
    def __init__(self, context: Context, position: Position, began: float) -> None:
        self._context = context
        self._position = position
        self._names = phase_names(context.config.schedule)
        self._began = began
        self._wall_s_before = position.wall_s

    async def run_phase(self, index: int) -> None:
        context, position = self._context, self._position
        kind, name = context.config.schedule[index], self._names[index]
        if index >= len(context.records):
            record = PhaseRecord(name, kind, policy_version=context.version)
            context.records.append(record)
        record = context.records[index]
        context.progress.begin_phase(name)
        if not position.trained:
            await self._train(kind, index, record)
            record.entropy_fixed = await measure_entropy(context)
            position.trained = True
            await self.save(phase=index)
        if kind != "reset":
            # It trains nothing: the evaluation of the phase before it holds.
            await evaluate(context, record, is_last=index + 1 == len(self._names))
        position.trained = False
        await self.save(phase=index + 1)

    async def save(
        self, phase: int, iteration: int = 0, groups: Callable[[], list[GroupState]] = list
    ) -> None:
        """Writes a checkpoint from which the run continues at this place. It is of one moment,
        though the run may go on while it is written."""
        context, position = self._context, self._position
        learner = await in_thread(context.learner.state_dict)
        position.phase, position.iteration = phase, iteration
        position.saves += 1
        position.wall_s = self._wall_s_before + time.monotonic() - self._began
        position.groups = groups()
        state = _make_state(context, position, learner)
        shards = context.learner.write_shards
        await in_thread(save_checkpoint, context.run_dir, position.saves, state, shards)
        make_run_file(context, "running", position.wall_s).write(context.run_dir)

    async def _train(self, kind: PhaseKind, index: int, record: PhaseRecord) -> None:
        started, wall_s_before, began_at = time.monotonic(), record.wall_s, time.time()
        record.windows.append((began_at, began_at))

        async def measure() -> None:
            record.wall_s = wall_s_before + time.monotonic() - started
            record.windows[-1] = (began_at, time.time())
            record.slots = await in_thread(context.store.workers.count_slots)

        async def save_iteration(iteration: int, groups: Callable[[], list[GroupState]]) -> None:
            await measure()
            await self.save(index, iteration, groups)

        context, position = self._context, self._position
        match kind:
            case "imitate":
                start = position.iteration
                await imitate(context, record, start, lambda done: save_iteration(done, list))
            case "pulse":
                await pulse(context, record)
            case "expert_iteration":
                await expert_iteration(context, record, position.iteration, save_iteration)
            case "reinforce" | "interleave":
                await reinforce(
                    context, record, position.iteration, position.groups, save_iteration
                )
            case "reset":
                # What the next phase makes new follows from the schedule.
                record.ended_by = "reset"
        await measure()


def make_run_file(context: Context, status: str, wall_s: float) -> RunFile:
    """The content of run.json at this moment."""
    return RunFile(
        run_id=context.run_id,
        preset=context.config.preset,
        seed=context.config.seed,
        status=status,
        wall_s=wall_s,
        records=context.records,
        staleness=context.collector.staleness,
    )


def _make_state(context: Context, position: Position, learner: dict[str, Any]) -> dict[str, Any]:
    return {
        "position": dataclasses.asdict(position),
        "learner": learner,
        "version": context.version,
        "next_version": context.next_version,
        "rejected": sorted(context.rejected),
        "learner_ahead": context.learner_ahead,
        "sampler": context.sampler.state_dict(),
        "pool": context.pool.state_dict(),
        "rng": context.rng.getstate(),
        "records": [dataclasses.asdict(record) for record in context.records],
        "demonstrations": context.demonstrations,
        "states": [
            (state.prompt_ids, state.completion_ids, *(each.data for each in state.pictures))
            for state in context.states
        ],
        "critic": None if context.critic is None else context.critic.state_dict(),
        "staleness": dataclasses.asdict(context.collector.staleness),
    }


def restore(context: Context, state: dict[str, Any]) -> Position:
    """Restores a checkpoint's state, all but the learner's."""
    context.next_version = max(state["next_version"], _first_unpublished_version(context))
    # What was published after the checkpoint is of a learner that is no more: its tokens are not
    # trained on.
    abandoned = range(state["next_version"], context.next_version)
    context.rejected = {*state["rejected"], *abandoned}
    context.learner_ahead = state.get("learner_ahead", 0)
    context.sampler.load_state_dict(state["sampler"])
    context.pool.load_state_dict(state["pool"])
    context.rng.setstate(state["rng"])
    context.records = [PhaseRecord.from_state(record) for record in state["records"]]
    context.demonstrations = list(state["demonstrations"])
    context.states = [
        Sample(prompt, completion, pictures=tuple(map(Picture, pictures)))
        for prompt, completion, *pictures in state["states"]
    ]
    if state["critic"] is not None:
        context.critic = Critic.from_state(state["critic"])
    context.collector.staleness = Staleness(**state["staleness"])
    return Position(**state["position"])


def _first_unpublished_version(context: Context) -> int:
    """A run that was killed may have published a version after its last checkpoint; versions are
    never overwritten."""
    folders = (context.run_dir / "policy").glob("v[0-9]*")
    return max((int(folder.name[1:]) for folder in folders), default=-1) + 1
