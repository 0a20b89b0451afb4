"""The client of the policy server that the settings name."""

from __future__ import annotations

from agent_server.policy.client import VllmPolicy
from agent_server.policy.manifest import BadVersion
from agent_server.settings import Settings
from envs.contract.outcomes import EpisodeFault, InvalidReason


def make_live_policy(settings: Settings) -> VllmPolicy:
    """A client to be closed by the caller.

    Raises EpisodeFault(unrunnable | policy_error) where a setting or the tokenizer is missing."""
    if not settings.policy_url:
        raise EpisodeFault(InvalidReason.UNRUNNABLE, "DESKHAND_POLICY_URL is not set")
    tokenizer = settings.policy_tokenizer
    if tokenizer is not None:
        tokenizer = settings.run_dir / tokenizer
    if tokenizer is not None and not tokenizer.is_file():
        raise EpisodeFault(
            InvalidReason.POLICY_ERROR, f"DESKHAND_POLICY_TOKENIZER: no file {tokenizer}"
        )
    try:
        return VllmPolicy(
            settings.policy_url,
            settings.policy_model,
            settings.policy_timeout_s,
            tokenizer,
            settings.policy_key,
            settings.policy_max_model_len,
        )
    except BadVersion as error:
        raise EpisodeFault(InvalidReason.POLICY_ERROR, str(error)) from error
