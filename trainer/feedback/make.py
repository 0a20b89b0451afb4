"""The writer of feedback that a run's configuration names."""

from __future__ import annotations

from trainer.context import Context
from trainer.feedback.writer import Writer, make_endpoint_asks, make_policy_asks


def make_writer(context: Context) -> Writer:
    """Raises RuntimeError where the run did not open the model that is to write."""
    config = context.config.feedback
    if not config.retries or config.writer in ("none", "rules"):
        return Writer(config)
    if config.writer == "policy":
        if context.policy is None:
            raise RuntimeError("there is no client of the policy server to write feedback")
        return Writer(config, make_policy_asks(context.policy, context.sampling.temperature))
    if context.feedback_model is None:
        raise RuntimeError("there is no client of the endpoint that writes feedback")
    return Writer(config, make_endpoint_asks(context.feedback_model))
