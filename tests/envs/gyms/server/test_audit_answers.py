"""No answer to a question is guessed at most seeds, on seeds of all splits."""

from __future__ import annotations

import dataclasses

import pytest

from envs.contract.task import SPLIT_BASES
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.audit_answers import MAX_GUESSED, measure_best_guess
from envs.gyms.server.registry import web_gyms

KIT = [gym for gym in web_gyms().values() if isinstance(gym, AppGym)]
SEEDS = [base + seed for base in SPLIT_BASES.values() for seed in range(40)]


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
def test_no_guess_is_often_right(gym: AppGym) -> None:
    guesses = {name: measure_best_guess(gym, name, SEEDS) for name in gym.templates}
    often = {name: guess for name, guess in guesses.items() if guess[1] > MAX_GUESSED}
    assert not often


def test_a_constant_answer_and_a_named_one_are_found() -> None:
    people = next(gym for gym in KIT if gym.name == "people")
    spec = people.spec("hired_on")
    for answer, guess in (
        (lambda world, p, before: "2026-03-05", "always 2026-03-05"),
        (lambda world, p, before: "unknown", "the example of the wording"),
        (lambda world, p, before: p["name"], "param name"),
    ):
        phrasings = ("When was {name} hired, such as unknown?",)
        kind = "date" if "2026" in guess else "text"
        changed = dataclasses.replace(
            spec, expected_answer=answer, answer_kind=kind, phrasings=phrasings
        )
        gym = AppGym("people", people.apps, [changed])
        best, share = measure_best_guess(gym, "hired_on", range(4))
        assert best in (guess, "always unknown")
        assert share == 1.0
