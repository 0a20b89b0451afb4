"""What `deskhand pretrain` depends on; read from TOML and `--set` like a training run."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, field_validator

from trainer.learner_config import LearnerConfig
from trainer.model import ModelConfig


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PagesConfig(_Section):
    """Which pages are read, and how they are collected."""

    file: Path | None = Field(None, description="cache of pages; none: pages.jsonl.gz in the run")
    tasks: tuple[str, ...] = Field(
        ("shop", "people", "drive", "billing", "mail", "calendar"),
        min_length=1,
        description="pages of these gyms or gym/template are read",
    )
    unseen: tuple[str, ...] = Field(
        ("desk",), description="never trained on: only measured, and in no tokenizer"
    )
    episodes: int = Field(600, ge=1, description="walks on train seeds")
    heldout_episodes: int = Field(60, ge=1, description="walks on dev seeds, and on unseen apps")
    demonstrated: tuple[str, ...] = Field(
        (), description="of these, whole episodes of the oracle are read and imitated as well"
    )
    demonstrations: int = Field(600, ge=1, description="oracle episodes on train seeds")
    heldout_demonstrations: int = Field(
        120, ge=1, description="oracle episodes on dev seeds, and on unseen apps"
    )
    wandering: float = Field(
        0.1,
        ge=0,
        lt=1,
        description="share of a demonstration's steps that chance takes instead of the oracle, so "
        "that demonstrations also show the way back",
    )
    steady: tuple[str, ...] = Field(
        ("miniwob",),
        description="gyms without wandering: there a wrong action ends the episode",
    )
    steps: int = Field(
        12, ge=1, description="longest walk: the task's oracle leads for some steps, then chance"
    )
    sessions: int = Field(8, ge=1, description="browser sessions at once")
    tree_chars: int = Field(1600, ge=200, description="budget of a page tree, characters")
    tree_options: int = Field(6, ge=0, description="options of the longest drop-down listed")


class ReadingConfig(_Section):
    """What is asked, how often, and how it is learnt."""

    updates: int = Field(6000, ge=1, description="optimiser steps")
    pages: int = Field(6, ge=1, description="pages of one optimiser step")
    questions: int = Field(8, ge=1, description="questions of one page, which is read once")
    acted: float = Field(
        0.5,
        ge=0,
        le=1,
        description="share of pages whose demonstration is asked for, if any has one",
    )
    renamed: float = Field(0.7, ge=0, le=1, description="share of pages whose words are renamed")
    shuffled: float = Field(0.3, ge=0, le=1, description="share of pages in random line order")
    workers: int = Field(
        0, ge=0, description="processes that prepare the updates; 0: the learner's own"
    )
    prompt_ce: float = Field(0.1, ge=0, description="language-model loss on pages, beside answers")
    lr: float = Field(1e-3, gt=0, description="learning rate after warm-up")
    warmup_updates: int = Field(50, ge=0, description="the rate grows linearly over these")
    check_every: int = Field(200, ge=1, description="updates between two measurements")
    check_pages: int = Field(40, ge=1, description="pages of each held-out set that are measured")
    max_minutes: float = Field(600.0, gt=0, description="guard: reading stops after this")


class ReaderConfig(_Section):
    """One pre-training. Written whole to its config.toml."""

    preset: str = Field("reader", description="name of these settings, shown in the report")
    seed: int = Field(0, ge=0, description="of everything random in the run")
    model: ModelConfig = ModelConfig(vocab_size=2048)
    learner: LearnerConfig = LearnerConfig()
    pages: PagesConfig = PagesConfig()
    reading: ReadingConfig = ReadingConfig()

    @field_validator("model")
    @classmethod
    def _check_model(cls, model: ModelConfig) -> ModelConfig:
        if model.path is not None and not (Path(model.path) / "config.json").is_file():
            raise ValueError(
                f"model.path: {model.path} is no folder of a model, it has no config.json; "
                "without a path a reader is made from random weights"
            )
        return model

    @property
    def learner_config(self) -> LearnerConfig:
        """The learner's own settings with the run's seed."""
        return self.learner.model_copy(update={"seed": self.seed})
