"""The splits share no instruction and no name, and what is shared is told."""

from __future__ import annotations

import dataclasses

import pytest

from envs.contract.task import split_of
from envs.gyms.apps.people.gym import GYM as PEOPLE
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.audit_splits import compare_instructions, compare_names, sample_seeds
from envs.gyms.server.registry import web_gyms

KIT = [gym for gym in web_gyms().values() if isinstance(gym, AppGym)]
SEEDS = 8
"""Of each split; `deskhand gym audit --splits` compares more."""


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
def test_no_instruction_is_of_two_splits(gym: AppGym) -> None:
    by_template = {name: compare_instructions(gym, name, SEEDS) for name in gym.templates}
    shared = {name: row.shared[0] for name, row in by_template.items() if row.shared}
    assert not shared
    assert all(row.count > SEEDS for row in by_template.values())


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
def test_no_name_is_of_two_splits(gym: AppGym) -> None:
    by_kind = compare_names(gym, SEEDS)
    assert {kind for kind, row in by_kind.items() if row.shared} == set()
    assert {"people", "firms"} <= {kind for kind, row in by_kind.items() if row.count > SEEDS}


def test_a_question_without_a_name_is_the_same_in_all_splits() -> None:
    wordings = ("How many requests wait?", "Count the requests.", "{company}: how many wait?")
    spec = dataclasses.replace(PEOPLE.spec("waiting_count"), phrasings=wordings)
    row = compare_instructions(AppGym("people", PEOPLE.apps, [spec]), "waiting_count", SEEDS)
    assert row.shared == ("Count the requests.", "How many requests wait?")
    assert row.count > len(wordings)


def test_seeds_are_of_their_split_and_spread_over_it() -> None:
    for split, seeds in sample_seeds(20).items():
        assert {split_of(seed) for seed in seeds} == {split}
        assert len({seed % 300 for seed in seeds}) > 15
