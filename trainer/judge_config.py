"""Settings of a judge that gives rewards: `[judge]` of the training configuration."""

from __future__ import annotations

from pydantic import Field

from agent_server.agents.judge import JudgeConfig


class RewardJudgeConfig(JudgeConfig):
    """Who judges episodes to learn from; evaluations keep their verifiers."""

    rewards: bool = Field(
        False,
        description="scores of episodes to learn from are the judge's, in place of verifiers'; "
        "measure it first: deskhand eval judge RUN",
    )
