"""Settings of the loss: clip, corrections for the sampler, regularisation, and means."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Level = Literal["token", "sequence", "mean"]
"""Of a ratio to the sampler: of each token, the product over its answer, or that product's
geometric mean a token."""
Unit = Literal["token", "step", "episode", "task"]
"""What a mean of the reinforced tokens counts as one."""


class LossConfig(BaseModel):
    """How the streams become one number."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    eps_low: float = Field(0.2, ge=0, lt=1, description="clip of the ratio below 1")
    eps_high: float = Field(0.28, ge=0, description="clip of the ratio above 1")
    dual_clip: float | None = Field(10.0, gt=1, description="bound for negative advantages")
    ratio: Literal["token", "sequence"] = Field(
        "token",
        description="what is clipped: each token's ratio, or the geometric mean over an answer",
    )
    aggregation: Unit = Field(
        "token", description="reinforced tokens are averaged within each of these, then over them"
    )
    tis_cap: float | None = Field(
        2.0, gt=0, description="cap of the truncated importance weight; none = no correction"
    )
    tis_level: Level = Field(
        "token",
        description="of the importance weight: token, sequence (product over an answer), mean",
    )
    mask_low: float = Field(
        0.0, ge=0, description="drop tokens whose ratio to the sampler is lower"
    )
    mask_high: float = Field(1e6, gt=0, description="drop tokens whose ratio is higher")
    mask_level: Level = Field(
        "token", description="ratio that the mask looks at: token, sequence, mean"
    )
    covariance: Literal["none", "clip", "hold"] = Field(
        "none",
        description="tokens whose logprob and advantage vary together lose entropy: clip drops "
        "some of them (clip-cov), hold pulls the foremost back (kl-cov)",
    )
    covariance_share: float = Field(
        2e-4, gt=0, le=1, description="share of the reinforced tokens that are clipped or held"
    )
    covariance_low: float = Field(1.0, description="clip: least covariance of a dropped token")
    covariance_high: float = Field(5.0, description="clip: largest covariance of a dropped token")
    covariance_kl: float = Field(1.0, gt=0, description="hold: weight of the pull")
    entropy_weight: float = Field(0.0, description="bonus on the entropy of weighted rl tokens")
