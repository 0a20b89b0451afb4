"""Orders from comparisons, and what follows from rules: the facts leave one answer."""

from __future__ import annotations

import itertools
import random

from trainer.naming.names import sample_names
from trainer.reasoning.problem import Problem, same_text

RELATIONS = (
    ("taller", "shorter", "the tallest", "the shortest"),
    ("older", "younger", "the oldest", "the youngest"),
    ("faster", "slower", "the fastest", "the slowest"),
)


def make_logic(rng: random.Random) -> Problem:
    """An order of three to five people, or a chain of rules."""
    return rng.choice((_order, _rules))(rng)


def _order(rng: random.Random) -> Problem:
    """Each neighbour in the order is compared, so that the order is the only one."""
    more, less, most, least = rng.choice(RELATIONS)
    names = sample_names(rng, rng.randint(3, 5))
    facts = [
        f"{high} is {more} than {low}." if rng.random() < 0.5 else f"{low} is {less} than {high}."
        for high, low in itertools.pairwise(names)
    ]
    rng.shuffle(facts)
    superlative, answer = rng.choice(((most, names[0]), (least, names[-1])))
    return Problem(
        kind="logic",
        lines=tuple(facts),
        question=f"Who is {superlative}?",
        thought=" > ".join(names),
        answer=answer,
        is_right=same_text(answer),
    )


def _rules(rng: random.Random) -> Problem:
    """A chain of rules; a fact starts it at one place. What is before that place is not known, and
    nothing else is asked than what is known to hold or to fail."""
    person, *things = sample_names(rng, rng.randint(4, 6))
    rules = [f"Every {a} is a {b}." for a, b in itertools.pairwise(things)]
    rng.shuffle(rules)
    end = rng.randrange(1, len(things))
    holds = rng.random() < 0.5
    # Of a chain a -> b: who is an a is a b, and who is no b is no a.
    chain = things[: end + 1] if holds else things[end::-1]
    fact = f"{person} is a {chain[0]}." if holds else f"{person} is no {chain[0]}."
    answer = "yes" if holds else "no"
    return Problem(
        kind="logic",
        lines=(*rules, fact),
        question=f"Is {person} a {chain[-1]}? Answer yes or no.",
        thought=("" if holds else "no ") + ", ".join(chain),
        answer=answer,
        is_right=same_text(answer),
    )
