"""No answer to a question is guessed at many seeds; right answers are right in many spellings."""

from __future__ import annotations

import dataclasses

import pytest

from envs.gyms.kit.answers import Kind, same_answer
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.locale import Locale, Region
from envs.gyms.server.audit_answers import Guess, list_spellings, measure_best_guess
from envs.gyms.server.audit_splits import sample_seeds
from envs.gyms.server.registry import web_gyms

KIT = [gym for gym in web_gyms().values() if isinstance(gym, AppGym)]
SEEDS = [seed for seeds in sample_seeds(40).values() for seed in seeds]


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
def test_no_guess_is_often_right(gym: AppGym) -> None:
    guesses = {name: measure_best_guess(gym, name, SEEDS) for name in gym.templates}
    assert not {name: guess for name, guess in guesses.items() if guess.is_too_good}


def test_a_guess_is_too_good_when_chance_does_not_explain_it() -> None:
    assert not Guess("always 1", 25, 100).is_too_good
    assert not Guess("always 1", 37, 100).is_too_good
    assert Guess("always 1", 39, 100).is_too_good
    assert Guess("always 1", 300, 1000).is_too_good


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
        best = measure_best_guess(gym, "hired_on", range(4))
        assert best.text in (guess, "always unknown")
        assert best.share == 1.0


@pytest.mark.parametrize(
    ("kind", "expected", "region"),
    [
        *[("money", "1234550", region) for region in ("us", "gb", "eu")],
        *[("date", "2026-03-11", region) for region in ("us", "gb", "eu")],
        *[("number", number, "eu") for number in ("0", "7", "1234")],
        *[("time", clock, "us") for clock in ("00:30", "09:30", "12:00", "16:05")],
        ("dollars", "$12.50", "us"),
        ("text", "INV-1030", "us"),
    ],
)
def test_spellings_of_an_answer_are_right_and_what_is_near_is_wrong(
    kind: Kind, expected: str, region: Region
) -> None:
    locale, units = Locale(region), ("files", "file")
    right, wrong = list_spellings(expected, kind, locale, units)
    assert [same_answer(text, expected, kind, locale, units) for text in right] == [
        True for _ in right
    ]
    assert [same_answer(text, expected, kind, locale, units) for text in wrong] == [
        False for _ in wrong
    ]
    assert len(right) > 1
    assert len(wrong) > 1
