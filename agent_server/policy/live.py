"""The client of the policy servers that the settings name."""

from __future__ import annotations

from functools import partial

from agent_server.episodes.seeing_agent import Fit
from agent_server.policy.client import VllmPolicy
from agent_server.policy.manifest import BadVersion, read_prompt_format
from agent_server.policy.pictured_prompt import fit_picture
from agent_server.policy.shared_policy import SharedPolicy
from agent_server.settings import Settings
from envs.contract.outcomes import EpisodeFault, InvalidReason


def make_fit(settings: Settings) -> Fit:
    """What makes pictures as large as the policy reads them; where its files are not here, they
    stay as they are. Raises EpisodeFault(unrunnable) for a model that reads none."""
    if settings.policy_tokenizer is None:
        return lambda picture: picture
    folder = (settings.run_dir / settings.policy_tokenizer).parent
    try:
        form = read_prompt_format(folder).picture
    except BadVersion as error:
        raise EpisodeFault(InvalidReason.POLICY_ERROR, str(error)) from error
    if form is None:
        raise EpisodeFault(
            InvalidReason.UNRUNNABLE,
            f"policy_view shows pictures, but the model in {folder} reads none",
        )
    return partial(fit_picture, form=form, most=settings.policy_view.max_pixels)


def make_live_policy(settings: Settings) -> VllmPolicy | SharedPolicy:
    """A client to be closed by the caller.

    Raises EpisodeFault(unrunnable | policy_error) where a setting or the tokenizer is missing."""
    if not settings.policy_urls:
        raise EpisodeFault(InvalidReason.UNRUNNABLE, "DESKHAND_POLICY_URLS is not set")
    tokenizer = settings.policy_tokenizer
    if tokenizer is not None:
        tokenizer = settings.run_dir / tokenizer
    if tokenizer is not None and not tokenizer.is_file():
        raise EpisodeFault(
            InvalidReason.POLICY_ERROR, f"DESKHAND_POLICY_TOKENIZER: no file {tokenizer}"
        )
    try:
        servers = [
            VllmPolicy(
                url,
                settings.policy_model,
                settings.policy_timeout_s,
                tokenizer,
                settings.policy_key,
                settings.policy_max_model_len,
            )
            for url in settings.policy_urls
        ]
    except BadVersion as error:
        raise EpisodeFault(InvalidReason.POLICY_ERROR, str(error)) from error
    return servers[0] if len(servers) == 1 else SharedPolicy(servers)
