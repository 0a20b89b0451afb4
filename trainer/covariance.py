"""Clip-cov and kl-cov (Cui et al. 2025, The Entropy Mechanism, arXiv:2505.22617), written as
weights on tokens.

A policy gradient changes the entropy by minus the covariance of a token's log probability and its
advantage: likely tokens of good steps take it away. Few tokens carry most of it,
    cov_t = (log p_t - mean(log p)) (A_t - mean(A)),
and those are left out of the gradient (clip), or pulled back to where they were (hold).

The means are over all reinforced tokens of the learner step, by the sampler's log probabilities, so
that the choice does not depend on how samples are cut and packed; the paper's code takes those of a
micro-batch. The pull is the k3 estimate of KL(policy | policy before the step).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trainer.loss_config import LossConfig
from trainer.samples import Sample, token_values

Values = NDArray[np.float64]


def regularise(
    samples: Sequence[Sample], config: LossConfig, rng: np.random.Generator
) -> list[Sample]:
    """The samples with the weights that `config.covariance` asks for."""
    if config.covariance == "none":
        return list(samples)
    covariances = np.concatenate([*_covariances(samples), np.empty(0)])
    reinforced = int((~np.isnan(covariances)).sum())
    if reinforced == 0:
        return list(samples)
    count = max(1, int(config.covariance_share * reinforced))
    chosen = np.zeros(covariances.size, dtype=bool)
    if config.covariance == "clip":
        # NaN is in no range: comparisons with it are false.
        eligible = (covariances > config.covariance_low) & (covariances < config.covariance_high)
        places = np.flatnonzero(eligible)
        chosen[rng.permutation(places)[:count]] = True
    else:
        chosen[np.argsort(-covariances, kind="stable")[:count]] = True
    ends = np.cumsum([len(sample.completion_ids) for sample in samples])[:-1]
    return [
        _mark(sample, part, config) if part.any() else sample
        for sample, part in zip(samples, np.split(chosen, ends), strict=True)
    ]


def _covariances(samples: Sequence[Sample]) -> list[Values]:
    """One value a completion token; NaN for a token that is not reinforced or was not sampled."""
    logprobs, advantages = [], []
    for sample in samples:
        length = len(sample.completion_ids)
        advantage = np.array(token_values(sample.advantage, length))
        weight = np.array(token_values(sample.rl, length))
        logprob = np.array(sample.logprobs) if sample.logprobs else np.full(length, np.nan)
        counts = (weight != 0) & (advantage != 0) & np.isfinite(logprob)
        logprobs.append(np.where(counts, logprob, np.nan))
        advantages.append(np.where(counts, advantage, np.nan))
    if all(bool(np.isnan(part).all()) for part in logprobs):
        return logprobs
    logprob_mean = np.nanmean(np.concatenate(logprobs))
    advantage_mean = np.nanmean(np.concatenate(advantages))
    return [
        (logprob - logprob_mean) * (advantage - advantage_mean)
        for logprob, advantage in zip(logprobs, advantages, strict=True)
    ]


def _mark(sample: Sample, chosen: NDArray[np.bool_], config: LossConfig) -> Sample:
    """The sample with its chosen tokens left out, or held."""
    length = len(sample.completion_ids)
    if config.covariance == "clip":
        weights = np.where(chosen, 0.0, token_values(sample.rl, length))
        return dataclasses.replace(sample, rl=tuple(weights.tolist()))
    pulls = np.where(chosen, config.covariance_kl, 0.0)
    return dataclasses.replace(sample, proximal_kl=tuple(pulls.tolist()))
