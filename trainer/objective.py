"""The loss of a phase: `learner.loss` with the terms that belong to its algorithm, and what cannot
be combined."""

from __future__ import annotations

from trainer.algorithms.protocol import Algorithm
from trainer.loss_config import LossConfig


def phase_loss(base: LossConfig, algorithm: Algorithm) -> LossConfig:
    """The user's loss with the algorithm's terms in place of his."""
    return LossConfig.model_validate(base.model_dump() | dict(algorithm.loss_terms()))


def why_impossible(base: LossConfig, name: str, algorithm: Algorithm) -> str:
    """One sentence on what does not go together; empty where all does."""
    defaults = LossConfig()
    for key, value in algorithm.loss_terms().items():
        chosen = getattr(base, key)
        if chosen not in (getattr(defaults, key), value):
            is_option = key in type(algorithm).model_fields
            way_out = f"set reinforce.options.{key}" if is_option else "leave it"
            return (
                f"learner.loss.{key} = {chosen!r} has no effect with reinforce.algorithm = "
                f"{name!r}, which fixes it to {value!r}: {way_out}, or choose another algorithm"
            )
    loss = phase_loss(base, algorithm)
    if loss.covariance != "none" and loss.ratio == "sequence":
        return (
            f"learner.loss.covariance = {loss.covariance!r} chooses tokens, but the ratio is that "
            "of whole answers: use ratio = 'token' or covariance = 'none'"
        )
    return ""
