"""A pre-training from pages to a base policy and its report.

Guarantees: one process for a run folder; the state after each measurement is on disk before the
next update begins, and a resumed run continues bit for bit; the newest base policy is in `policy/`
from the first measurement on, whatever ends the run.
"""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from transformers import PreTrainedTokenizerFast

from agent_server.policy.manifest import version_folder
from agent_server.policy.renaming import make_word
from agent_server.stack.local_stack import RunBusy, run_lock
from tasksets.registry import get_gym
from trainer.checkpoints import has_checkpoint, load_checkpoint, save_checkpoint
from trainer.config_file import to_toml
from trainer.learner import Learner
from trainer.metrics import Metrics
from trainer.model import new_policy
from trainer.phases.supervised import LOG_EVERY, MAX_MINUTES, learning_rate_factor
from trainer.progress import Progress
from trainer.publish import mark_live, publish_version
from trainer.reading.collect import DEV, TRAIN, UNSEEN, Collection, collect_pages, distinct_pages
from trainer.reading.config import ReaderConfig, ReadingConfig
from trainer.reading.lessons import Lesson, Shelf, interface_words, make_samples
from trainer.reading.measure import draw_checks, measure
from trainer.reading.pages import Page, read_pages, write_pages
from trainer.reading.report import REPORT, write_report
from trainer.reading.supply import Supply
from trainer.reading.walk_log import WalkLog
from trainer.task_set import expand_tasks
from trainer.threads import in_thread
from trainer.tokenizer import load_tokenizer, train_tokenizer, word_pieces

CORPUS_SEEDS = 8
CORPUS_PAGES = 400
CORPUS_WORDS = 4000
PHASE = "read"
TOKENIZER = "tokenizer"


@dataclass(slots=True)
class ReaderState:
    """How far a run is. `curve` has a measurement of every group each; seconds count all processes
    of the run."""

    update: int = 0
    tokens: int = 0
    answers: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    ended_by: str = ""
    curve: list[dict[str, Any]] = field(default_factory=list)


async def run_reading(
    config: ReaderConfig, run_dir: Path, console: Console, resume: bool = False
) -> dict[str, Any]:
    """Collects pages where there are none yet, reads them, and returns the report. A run that is
    resumed begins where it was stopped, be it with its pages; an ended one only says so.

    Raises RunBusy, BadCheckpoint, BadPages, RuntimeError where no page could be collected."""
    run_dir.mkdir(0o700, parents=True, exist_ok=True)
    with run_lock(run_dir), Progress(console, f"deskhand {run_dir.name}", [PHASE]) as progress:
        if not resume:
            _write_config(config, run_dir)
        elif (report := _read_report(run_dir)) is not None and (
            reason := why_ended(config.reading, report["update"], report["wall_s"])
        ):
            console.print(
                f"ended by {reason} after {report['update']} updates; to go on, raise "
                "reading.updates or reading.max_minutes with --set",
                highlight=False,
            )
            return report
        progress.begin_phase(PHASE)
        pages = await _get_pages(config, run_dir, progress)
        reader = await in_thread(Reader, config, run_dir, pages)
        try:
            while not reader.is_done:
                await in_thread(reader.step)
                progress.set_fraction(reader.state.update / config.reading.updates)
                if reader.is_measured:
                    progress.show_detail(reader.describe())
            return await in_thread(reader.finish)
        finally:
            reader.close()


def why_ended(reading: ReadingConfig, updates: int, wall_s: float) -> str:
    """What ends a run after so many updates and seconds; empty where nothing does."""
    if updates >= reading.updates:
        return "updates"
    return MAX_MINUTES if wall_s > reading.max_minutes * 60 else ""


def _read_report(run_dir: Path) -> dict[str, Any] | None:
    """That of the newest measurement; None before the first."""
    path = run_dir / REPORT
    if not path.is_file():
        return None
    report: dict[str, Any] = orjson.loads(path.read_bytes())
    return report


def _write_config(config: ReaderConfig, run_dir: Path) -> None:
    try:
        with (run_dir / "config.toml").open("x") as file:
            file.write(to_toml(config))
    except FileExistsError as error:
        raise RunBusy(
            f"{run_dir} holds a run already; continue it with --resume {run_dir}, or give another "
            "--name"
        ) from error


async def _get_pages(config: ReaderConfig, run_dir: Path, progress: Progress) -> list[Page]:
    path = config.pages.file or run_dir / "pages.jsonl.gz"
    if path.is_file():
        return await in_thread(read_pages, path, config.pages, config.seed)

    def show(collection: Collection) -> None:
        progress.show_detail(
            f"collecting pages: {len(collection.pages)} of {collection.walks} walks, "
            f"{collection.faults} faults"
        )

    log = WalkLog(path, config.pages, config.seed)
    collection = await collect_pages(config.pages, config.seed, show, log)
    await in_thread(write_pages, path, collection.pages, config.pages, config.seed)
    log.remove()
    return await in_thread(read_pages, path, config.pages, config.seed)


class Reader:
    """Updates, measurements and checkpoints of one run, from its newest checkpoint on, if it has
    any. Blocking: call it in a thread."""

    def __init__(self, config: ReaderConfig, run_dir: Path, pages: Sequence[Page]) -> None:
        """Raises BadCheckpoint for one that cannot be read."""
        self.config, self._run_dir = config, run_dir
        self._groups = {group: distinct_pages(pages, group) for group in (DEV, UNSEEN)}
        self._pages = distinct_pages(pages, TRAIN)
        reading = config.reading
        self.tokenizer = _get_tokenizer(config, self._pages, run_dir / TOKENIZER)
        interface = interface_words(self._pages, self._groups[DEV])
        self._shelf = Shelf(self._pages, interface, word_pieces(self.tokenizer))
        self._checks = draw_checks(
            self._groups,
            reading.check_pages,
            reading.questions,
            config.seed,
            self._shelf.interface,
        )
        self.state = ReaderState()
        content = load_checkpoint(run_dir) if has_checkpoint(run_dir) else None
        if content is not None:
            self.state = ReaderState(**content["state"])
            # The run may have got more updates or minutes than it had.
            self.state.ended_by = why_ended(reading, self.state.update, self.state.wall_s)
        # Before the learner: its processes are forked, and the learner has threads.
        self._supply = Supply(self._shelf, self.tokenizer, config, self.state.update)
        self.learner = self._make_learner()
        if content is None:
            self.learner.reset_optimizer(reading.lr, 0)
        else:
            self.learner.load_state_dict(content["learner"])
        self._metrics = Metrics(run_dir)
        self._wall_since, self._cpu_since = time.monotonic(), time.process_time()
        if content is None:
            self._measure()

    @property
    def is_done(self) -> bool:
        """Whether the last update was made, or the guard has ended the run."""
        return bool(self.state.ended_by)

    @property
    def is_measured(self) -> bool:
        """Whether the last update was followed by a measurement."""
        return bool(self.state.curve[-1]["update"] == self.state.update)

    def close(self) -> None:
        """Ends the learner's threads and the supply's processes, and closes the metrics."""
        self._supply.close()
        self.learner.close()
        self._metrics.close()

    def step(self) -> None:
        """One update; measured, saved and published where it is time."""
        state, reading = self.state, self.config.reading
        rate = reading.lr * learning_rate_factor(
            state.update, reading.warmup_updates, state.update / reading.updates
        )
        update = next(self._supply)
        figures = self.learner.step_prepared(update, rate)
        state.update += 1
        state.answers += update.samples
        state.tokens += update.tokens
        if state.update % LOG_EVERY == 0:
            self._metrics.log(
                PHASE,
                state.update,
                {"loss": figures["nll_mean"], "lr": rate, "tokens_per_s": figures["tokens_per_s"]},
            )
        self._count_time()
        state.ended_by = why_ended(reading, state.update, state.wall_s)
        if state.update % reading.check_every == 0 or state.ended_by:
            self._measure()

    def describe(self) -> str:
        """One line of the newest measurement."""
        newest = self.state.curve[-1]
        groups = ", ".join(
            f"{name} {figures['read']:.0%}" for name, figures in newest["groups"].items()
        )
        return f"update {newest['update']}  read: {groups}"

    def finish(self) -> dict[str, Any]:
        """The report of the run, written."""
        return write_report(self._run_dir, self.config, asdict(self.state))

    def _count_time(self) -> None:
        wall, cpu = time.monotonic(), time.process_time()
        self.state.wall_s += wall - self._wall_since
        self.state.cpu_s += cpu - self._cpu_since
        self._wall_since, self._cpu_since = wall, cpu

    def _measure(self) -> None:
        """Measures, then saves, publishes and reports what was measured."""
        state = self.state
        room = self.config.model.max_model_len
        groups = {
            name: measure(self.learner, self.tokenizer, lessons, room)
            for name, lessons in self._checks.items()
        }
        self._count_time()
        state.curve.append(
            {
                "update": state.update,
                "tokens": state.tokens,
                "answers": state.answers,
                "wall_s": round(state.wall_s, 1),
                "cpu_s": round(state.cpu_s, 1),
                "groups": groups,
            }
        )
        self._metrics.log(
            "measure", state.update, {name: group["read"] for name, group in groups.items()}
        )
        self._publish(next(iter(self._checks.values())))
        content = {"state": asdict(state), "learner": self.learner.state_dict()}
        save_checkpoint(self._run_dir, state.update, content)
        self.finish()

    def _publish(self, lessons: Sequence[Lesson]) -> None:
        """The newest weights take the place of those before, and of their link `live`."""
        policy_dir = self._run_dir / "policy"
        room = self.config.model.max_model_len
        probes = [sample for _, sample in make_samples(self.tokenizer, lessons[0], room)][:4]
        older = sorted(policy_dir.glob("v[0-9]*"))
        folder = version_folder(policy_dir, self.state.update)
        if folder in older:
            return
        publish_version(
            policy_dir,
            version=self.state.update,
            parent=None,
            phase=PHASE,
            learner=self.learner,
            tokenizer=self.tokenizer,
            samples=probes,
            max_model_len=room,
        )
        mark_live(folder)
        for old in older:
            shutil.rmtree(old)

    def _make_learner(self) -> Learner:
        """Of the base policy's weights, else of random ones; a resumed run replaces them."""
        shape = self.config.model
        if shape.path is not None:
            return Learner(Path(shape.path), self.config.learner_config)
        model = new_policy(shape, len(self.tokenizer), self.config.seed)
        return Learner(model, self.config.learner_config)


def _get_tokenizer(
    config: ReaderConfig, pages: Sequence[Page], folder: Path
) -> PreTrainedTokenizerFast:
    """The one that lies in the run's folder, else the base policy's or a new one, put there."""
    if folder.is_dir():
        return load_tokenizer(folder)
    base = config.model.path
    tokenizer = make_tokenizer(config, pages) if base is None else load_tokenizer(Path(base))
    tokenizer.save_pretrained(folder)
    return tokenizer


def make_tokenizer(config: ReaderConfig, pages: Sequence[Page]) -> PreTrainedTokenizerFast:
    """Trained on the text of all apps that are read, on pages of theirs and on made-up words."""
    rng = random.Random(f"tokenizer:{config.seed}")
    names = (*config.pages.tasks, *config.pages.demonstrated)
    gyms = dict.fromkeys(name.partition("/")[0] for name in expand_tasks(names, "pages"))
    corpus = [
        text for gym in gyms for seed in range(CORPUS_SEEDS) for text in get_gym(gym).corpus(seed)
    ]
    corpus += [
        f"{page.text()}\n{page.task}\n{page.answer}"
        for page in rng.sample(list(pages), min(CORPUS_PAGES, len(pages)))
    ]
    corpus += [f" {make_word(rng)}" for _ in range(CORPUS_WORDS)]
    return train_tokenizer(corpus, config.model.vocab_size)
