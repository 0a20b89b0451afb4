"""Everything that a training run depends on; `config_file` reads it from TOML and `--set`.

The defaults are the one recipe that every preset inherits: a preset names its tasks and its size.
What ends a phase is progress (updates, iterations, a loss), so that a slower machine learns the
same; `max_minutes` is a guard. A phase that occurs twice can have settings of its own:
`[phase.reinforce-2]` on top of `[reinforce]`.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from agent_server.policy.engine_options import EngineOptions
from agent_server.run_metrics import REINFORCING
from envs.browser.page_size import PAGE_SIZE, parse_page_size
from envs.contract.screen_size import size_text
from envs.dialects.roles import TOGETHER, Roles
from envs.dialects.view import View
from trainer.curriculum_config import CurriculumConfig
from trainer.feedback_config import FeedbackConfig
from trainer.imitate_config import ImitateConfig
from trainer.judge_config import RewardJudgeConfig
from trainer.learner import LearnerConfig
from trainer.metric_sinks import SinkName
from trainer.model import ModelConfig
from trainer.phase_order import (
    Carried,
    PhaseKind,
    carried_over,
    phase_names,
    why_impossible,
)
from trainer.reasoning_config import ReasoningConfig
from trainer.reinforce_config import ReinforceConfig
from trainer.toolbox_config import ToolboxConfig
from trainer.triggers import AfterSteps, Trigger, check_trigger


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names the key and what to do."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EnvConfig(_Section):
    """Tasks, and what the agent sees and may do."""

    tasks: tuple[str, ...] = Field(
        ("shop",),
        min_length=1,
        description="trained and evaluated: gyms (all their templates), gym/template, or files of "
        "`deskhand tasks explore`",
    )
    tools: Literal["gui", "api", "both"] = Field(
        "both", description="actions the agent may use: gui, api or both"
    )
    max_steps: int | None = Field(
        None, ge=1, description="steps an episode; none: the task's own limit"
    )
    tree_chars: int = Field(1600, ge=200, description="budget of a page tree, characters")
    tree_options: int = Field(
        6, ge=0, description="options of the longest drop-down that is listed"
    )
    page: str = Field(
        size_text(PAGE_SIZE), description="WxH of the browser's pages, pixels: what a picture shows"
    )
    view: View = View()

    @field_validator("page")
    @classmethod
    def _check_page(cls, text: str) -> str:
        return size_text(parse_page_size(text))


class ServeConfig(_Section):
    """Processes of the stack."""

    workers: int = Field(1, ge=1, description="worker processes")
    hosts: int = Field(1, ge=1, description="browser host processes, one Chromium each")
    desktops: int = Field(2, ge=1, description="desktops at once, for gyms on desktops")
    concurrency: int = Field(16, ge=1, le=256, description="episodes in flight in one worker")
    policy_threads: int = Field(2, ge=1, description="OpenMP threads of the policy server")
    engine: EngineOptions = EngineOptions()
    policy_delay_s: float = Field(
        0.0,
        ge=0,
        description="added to each answer of the policy, for measurements: as if it were served "
        "elsewhere",
    )
    api_port: int | None = Field(None, description="port of the HTTP API; none: a free one")
    swap_tolerance: float = Field(
        0.05, gt=0, description="largest mean |logprob difference| of an accepted swap, nats"
    )


class EvalConfig(_Section):
    """Held-out episodes after each phase."""

    split: Literal["test", "dev"] = Field(
        "test", description="test is what a report quotes; choose settings on dev"
    )
    episodes: int = Field(210, ge=1, description="held-out episodes after each phase")
    dev_episodes: int = Field(
        60,
        ge=0,
        description="episodes of dev tasks after each phase, by which the final policy is chosen "
        "among the phases'; 0: it is the last one",
    )
    temperature: float = Field(1.0, ge=0, le=2, description="0: greedy; 1: as served")
    unseen: dict[str, tuple[str, ...]] = Field(
        {},
        description="task sets, by a name you choose, that are never trained on and evaluated at "
        "the end; written as env.tasks, e.g. app = ['desk'], template = ['shop/checkout']",
    )
    unseen_episodes: int = Field(60, ge=1, description="held-out episodes of each unseen set")
    suites: dict[str, tuple[str, ...]] = Field(
        {},
        description="task sets, by a name you choose, that may be trained on and are evaluated at "
        "the end on more tasks, in report.json beside the unseen sets; written as env.tasks",
    )
    suite_episodes: int = Field(560, ge=1, description="held-out episodes of each suite")
    greedy: bool = Field(True, description="at the end the same tasks at temperature 0 as well")
    control_episodes: int = Field(
        60, ge=0, description="at the end these tasks of each set by agents that read no task"
    )


class SamplingConfig(_Section):
    """How the policy samples in episodes to learn from."""

    temperature: float = Field(1.0, gt=0, le=2, description="of episodes to learn from")
    max_tokens: int = Field(48, ge=4, le=1024, description="longest answer of a step, tokens")


class CollectorConfig(_Section):
    """How long groups are waited for."""

    group_timeout_s: float = Field(
        420.0, gt=0, description="a group that is not complete by then is cancelled and counted"
    )
    poll_s: float = Field(
        0.1, gt=0, le=10, description="seconds between two queries for finished episodes"
    )


class PulseConfig(_Section):
    """Entropulse: imitation of kept successes."""

    per_task: int = Field(2, ge=1, description="successful episodes picked at random for a task")
    keep_per_task: int = Field(
        64, ge=1, description="successes of a task kept; the oldest go first"
    )
    updates: int = Field(150, ge=1, description="most optimiser steps")
    max_minutes: float = Field(30.0, gt=0, description="guard: training stops after this")
    batch_steps: int = Field(16, ge=1, description="environment steps in one optimiser step")
    lr: float = Field(3e-4, gt=0, description="learning rate after warm-up")
    warmup_updates: int = Field(10, ge=0, description="the rate grows linearly over these")


class ResetConfig(_Section):
    """Between two reinforcements: what the second begins anew."""

    what: tuple[Carried, ...] = Field(
        ("optimizer", "reference"), min_length=1, description="optimizer, reference or both"
    )


class ExpertIterationConfig(_Section):
    """Episodes of the policy, then imitation of the successes among them, again and again."""

    iterations: int = Field(4, ge=1, description="rounds of episodes and updates, each swapped in")
    max_minutes: float = Field(60.0, gt=0, description="guard: no round starts after this")
    groups: int = Field(12, ge=1, description="tasks in one round")
    group_size: int = Field(8, ge=1, description="episodes of one task")
    per_task: int = Field(2, ge=1, description="successes of a task that are imitated, at random")
    updates: int = Field(40, ge=1, description="optimiser steps of a round")
    batch_steps: int = Field(16, ge=1, description="environment steps in one optimiser step")
    lr: float = Field(3e-4, gt=0, description="learning rate after warm-up")
    warmup_updates: int = Field(10, ge=0, description="the rate grows linearly over these")
    until: Trigger | None = Field(None, description="ends the phase before its iterations do")

    @model_validator(mode="after")
    def _check_until(self) -> ExpertIterationConfig:
        check_trigger("until", self.until, self.iterations)
        return self


class InterleaveConfig(_Section):
    """Reinforcement as [reinforce] says, with updates on kept successes, as [pulse] picks them, in
    between: one optimizer, one reference."""

    iterations: int = Field(24, ge=1, description="learner steps, each followed by a swap")
    when: Trigger = Field(
        AfterSteps(steps=4), description="after which learner steps; see docs/phases.md"
    )
    updates: int = Field(10, ge=1, description="optimiser steps on kept successes each time")

    @model_validator(mode="after")
    def _check_when(self) -> InterleaveConfig:
        check_trigger("when", self.when, self.iterations)
        return self


class StatesConfig(_Section):
    """Fixed states: of held-out demonstrations, or of the first learner step without them. The
    policy's entropy there tells policies apart, not the batches that they are trained on."""

    count: int = Field(32, ge=0, description="states in which entropy is measured; 0: none")


PhaseConfig = (
    ImitateConfig
    | ReinforceConfig
    | PulseConfig
    | ResetConfig
    | ExpertIterationConfig
    | InterleaveConfig
)
S = TypeVar("S", bound=BaseModel)


class MetricsConfig(_Section):
    """Where the numbers of a run go, beside metrics.jsonl in its folder."""

    sinks: tuple[SinkName, ...] = Field(
        ("tensorboard",),
        description="tensorboard: files in the run folder; wandb, mlflow: with their packages "
        "(deskhand[wandb], deskhand[mlflow]) and variables. One that fails stops no run",
    )
    project: str = Field(
        "deskhand", min_length=1, description="of W&B; name of the experiment in MLflow"
    )


class TrainConfig(_Section):
    """One run. Written whole to its config.toml."""

    preset: str = Field("default", description="name of these settings, shown in the report")
    seed: int = Field(0, ge=0, description="of everything random in the run")
    schedule: tuple[PhaseKind, ...] = Field(
        ("imitate", "reinforce", "pulse", "reinforce"),
        min_length=1,
        description="phases in order, each followed by an evaluation",
    )
    env: EnvConfig = EnvConfig()
    serve: ServeConfig = ServeConfig()
    model: ModelConfig = ModelConfig()
    learner: LearnerConfig = LearnerConfig()
    sampling: SamplingConfig = SamplingConfig()
    curriculum: CurriculumConfig = CurriculumConfig()
    imitate: ImitateConfig = ImitateConfig()
    reinforce: ReinforceConfig = ReinforceConfig()
    pulse: PulseConfig = PulseConfig()
    reset: ResetConfig = ResetConfig()
    expert_iteration: ExpertIterationConfig = ExpertIterationConfig()
    interleave: InterleaveConfig = InterleaveConfig()
    states: StatesConfig = StatesConfig()
    reasoning: ReasoningConfig = ReasoningConfig()
    feedback: FeedbackConfig = FeedbackConfig()
    judge: RewardJudgeConfig = RewardJudgeConfig()
    toolbox: ToolboxConfig = ToolboxConfig()
    roles: Roles = TOGETHER
    eval: EvalConfig = EvalConfig()
    collector: CollectorConfig = CollectorConfig()
    metrics: MetricsConfig = MetricsConfig()
    phase: dict[str, dict[str, Any]] = Field(
        {}, description="settings of one phase by its name, e.g. [phase.reinforce-2] lr = 1e-4"
    )

    @field_validator("schedule")
    @classmethod
    def _check_schedule(cls, schedule: tuple[PhaseKind, ...]) -> tuple[PhaseKind, ...]:
        if reason := why_impossible(schedule):
            raise ValueError(reason)
        return schedule

    @model_validator(mode="after")
    def _check_roles(self) -> TrainConfig:
        if not self.roles.apart:
            return self
        if self.feedback.retries or self.toolbox.share or self._answers_demonstrations():
            raise ValueError(
                "feedback, toolbox and semi_online ask one policy alone: set feedback.retries and "
                "toolbox.share to 0 and another algorithm, or roles.apart to false"
            )
        for name in self.reinforcing():
            if self.phase.get(name, {}).get("led", self.reinforce.led):
                raise ValueError(
                    f"{name}: an oracle that begins an episode plays both roles at once: set "
                    "reinforce.led to 0, or roles.apart to false"
                )
        return self

    @model_validator(mode="after")
    def _check_view(self) -> TrainConfig:
        if not self.env.view.shows_pictures:
            return self
        shares = [section.renamed for section in self._imitations()]
        shares += [self.reinforce_config(name).renamed for name in self.reinforcing()]
        if any(shares):
            raise ValueError(
                "imitate.renamed and reinforce.renamed make up names in text, and pictures would "
                "show the old ones: set them to 0, or env.view.observe to 'tree'"
            )
        if any(self.reinforce_config(name).led for name in self.reinforcing()):
            raise ValueError(
                "reinforce.led lets an oracle begin that writes the compact dialect, and a policy "
                "that sees pictures may write another: set it to 0, or env.view.observe to 'tree'"
            )
        return self

    @model_validator(mode="after")
    def _check_renamed(self) -> TrainConfig:
        names = phase_names(self.schedule)
        for name in self.reinforcing():
            # What a phase's own settings are worth is checked elsewhere, with a way out.
            if not self.phase.get(name, {}).get("renamed", self.reinforce.renamed):
                continue
            if "imitate" not in self.schedule[: names.index(name)]:
                raise ValueError(
                    f"{name}: renamed needs an imitate phase before it, whose dev pages tell words "
                    "of the interface from names: add one, or set reinforce.renamed to 0"
                )
            if self.roles.apart or self.feedback.retries:
                raise ValueError(
                    f"{name}: renamed shows one policy other pages than those that are kept: set "
                    "roles.apart to false and feedback.retries to 0, or reinforce.renamed to 0"
                )
        return self

    @model_validator(mode="after")
    def _check_answers(self) -> TrainConfig:
        dialect = self.env.view.dialect
        if dialect != "compact" and self._answers_demonstrations():
            raise ValueError(
                "semi_online compares actions that are written in the compact dialect, and "
                f"env.view.dialect is {dialect!r}: choose another algorithm or 'compact'"
            )
        if self.toolbox.share and self._answers_demonstrations():
            raise ValueError(
                "semi_online learns from agreement with demonstrations, and the toolbox has none: "
                "set toolbox.share to 0, or choose another algorithm"
            )
        return self

    @model_validator(mode="after")
    def _check_shares(self) -> TrainConfig:
        others = {"toolbox.share": self.toolbox.share}
        if self.reasoning.share:
            shares = [section.data_share for section in self._imitations()]
            others["imitate.data_share"] = max(shares, default=0.0)
        for key, share in others.items():
            if self.reasoning.share + share >= 1:
                raise ValueError(
                    f"reasoning.share and {key} are parts of one whole: set them to less than 1 "
                    "together"
                )
        return self

    def _imitations(self) -> list[ImitateConfig]:
        sections = map(self.phase_config, phase_names(self.schedule))
        return [section for section in sections if isinstance(section, ImitateConfig)]

    def _answers_demonstrations(self) -> bool:
        algorithms = [self.reinforce_config(name).make_algorithm() for name in self.reinforcing()]
        return any(algorithm.source == "demonstrations" for algorithm in algorithms)

    def phase_config(self, name: str) -> PhaseConfig:
        """Settings of the phase of this name: its kind's section, and its own on top."""
        kind = self.schedule[phase_names(self.schedule).index(name)]
        base: PhaseConfig = getattr(self, kind)
        settings = self.phase.get(name)
        if not settings:
            return base
        return type(base).model_validate(base.model_dump() | settings)

    def settings_of(self, name: str, kind: type[S]) -> S:
        """The same, known to be of this kind."""
        section = self.phase_config(name)
        assert isinstance(section, kind)
        return section

    def reinforce_config(self, name: str) -> ReinforceConfig:
        """How a phase reinforces: its settings, or the reinforcement of an interleave phase."""
        section = self.phase_config(name)
        if isinstance(section, InterleaveConfig):
            return self.reinforce.model_copy(update={"iterations": section.iterations})
        return self.settings_of(name, ReinforceConfig)

    def reinforcing(self) -> list[str]:
        """Names of the phases that reinforce."""
        names = phase_names(self.schedule)
        return [
            name for name, kind in zip(names, self.schedule, strict=True) if kind in REINFORCING
        ]

    @property
    def needs_reference(self) -> bool:
        """Whether any phase of the schedule keeps the weights that it began with."""
        return any(self.reinforce_config(name).needs_reference for name in self.reinforcing())

    def carryover(self, name: str) -> set[Carried]:
        """What the phase of this name takes over from the one before."""
        names = phase_names(self.schedule)
        index = names.index(name)
        before = self.phase_config(names[index - 1]) if index else None
        reset = before.what if isinstance(before, ResetConfig) else ()
        return carried_over(self.schedule, index, reset)

    @property
    def learner_config(self) -> LearnerConfig:
        """The learner's own settings with those that follow from the run's."""
        follows = {"temperature": self.sampling.temperature, "seed": self.seed}
        return self.learner.model_copy(update=follows)
