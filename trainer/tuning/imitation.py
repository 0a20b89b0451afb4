"""The objective that takes seconds: imitation of samples by the real learner, on the CPU.

A new policy is trained on four fifths of the samples; the loss on the others, nats a token, is
reported as it falls, and its last value counts. The same settings and seed give the same loss.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel import Session, col, select

from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.outcomes import Status
from trainer.config import ConfigError
from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.reasoning.source import KINDS, ProblemSource
from trainer.samples import Sample, is_refused, text_sample
from trainer.tokenizer import encode_answer, encode_prompt, train_tokenizer

VOCABULARY = 1024
HELD_OUT = 5
"""One in so many samples is held out."""
LONGEST = 900
"""Longest sample that is used, tokens."""
Report = Callable[[int, float], None]
"""Takes the updates that are done and the held-out loss."""


class ImitationSettings(BaseModel):
    """What can be searched."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lr: float = Field(1e-3, gt=0, description="learning rate, times the present one of `rates`")
    rates: tuple[float, ...] = Field(
        (1.0, 1.0, 0.3),
        min_length=1,
        description="factors of the rate, each for an equal part of the updates",
    )
    warmup_updates: int = Field(10, ge=0, description="the rate grows linearly over these")
    batch_steps: int = Field(8, ge=1, description="samples in one update")
    prompt_ce: float = Field(0.1, ge=0, description="weight of the loss on prompts")
    weight_decay: float = Field(0.01, ge=0, description="on matrices")
    beta2: float = Field(0.95, gt=0, lt=1, description="AdamW's second moving average")


def heldout_loss(
    settings: ImitationSettings,
    texts: Sequence[tuple[str, str]],
    *,
    updates: int,
    check_every: int,
    hidden: int,
    layers: int,
    seed: int,
    threads: int,
    report: Report,
) -> float:
    """The held-out loss after all updates; `report` may end the trial by raising."""
    tokenizer = train_tokenizer([text for pair in texts for text in pair], VOCABULARY)
    samples = [
        text_sample(
            encode_prompt(tokenizer, prompt, LONGEST),
            encode_answer(tokenizer, answer),
            prompt_ce=settings.prompt_ce,
        )
        for prompt, answer in texts
    ]
    heldout, trained = samples[::HELD_OUT], [s for i, s in enumerate(samples) if i % HELD_OUT]
    shape = ModelConfig(
        vocab_size=VOCABULARY,
        hidden=hidden,
        layers=layers,
        heads=max(hidden // 64, 1),
        kv_heads=max(hidden // 64, 1),
        intermediate=2 * hidden,
    )
    config = LearnerConfig(
        threads=threads,
        seed=seed,
        weight_decay=settings.weight_decay,
        betas=(0.9, settings.beta2),
    )
    learner = Learner(new_policy(shape, len(tokenizer), seed), config)
    rng = random.Random(f"tune:{seed}")
    size = min(settings.batch_steps, len(trained))
    try:
        for update in range(updates):
            learner.step(rng.sample(trained, size), lr=rate_at(settings, update, updates))
            if (update + 1) % check_every == 0 and update + 1 < updates:
                report(update + 1, _loss(learner, heldout))
        return _loss(learner, heldout)
    finally:
        learner.close()


def rate_at(settings: ImitationSettings, update: int, updates: int) -> float:
    """The learning rate of an update."""
    part = settings.rates[update * len(settings.rates) // updates]
    warm = min(1.0, (update + 1) / max(settings.warmup_updates, 1))
    return settings.lr * part * warm


def _loss(learner: Learner, samples: Sequence[Sample]) -> float:
    values = [value for logprobs in learner.logprobs(samples) for value in logprobs]
    return -sum(values) / len(values)


@lru_cache(maxsize=2)
def read_texts(run: Path | None, count: int, seed: int) -> tuple[tuple[str, str], ...]:
    """Prompts and answers: recorded demonstrations of a run, or solutions of generated problems.
    Raises ConfigError where the run has none."""
    rng = random.Random(f"texts:{seed}")
    if run is None:
        problems = ProblemSource(tuple(KINDS)).sample(count, "train", rng)
        return tuple((problem.prompt, problem.solution) for problem in problems)
    texts = _recorded_steps(run)
    if len(texts) < 2 * HELD_OUT:
        raise ConfigError(
            f"objective.run: {run} has {len(texts)} recorded steps of successful demonstrations; "
            "name a run that has imitated"
        )
    return tuple(rng.sample(texts, min(count, len(texts))))


def _recorded_steps(run: Path) -> list[tuple[str, str]]:
    if not (run / "run.json").is_file():
        raise ConfigError(f"objective.run: {run} is not the folder of a run")
    settings = Settings(run_dir=run)
    artifacts = Artifacts(settings.artifacts)
    statement: Any = select(col(Episode.id)).where(
        col(Episode.purpose) == "imitate",
        col(Episode.status) == Status.SCORED,
        col(Episode.success).is_(True),
    )
    with Store.open(settings) as store, Session(store.engine) as db:
        ids = sorted(db.exec(statement).all())
    steps = (step for episode_id in ids for step in artifacts.read_trajectory(episode_id).steps)
    return [(step.prompt, step.completion.text) for step in steps if not is_refused(step)]
