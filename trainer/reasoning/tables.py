"""Look-ups in a small table: a cell by its row, a row by its cell, the least and the sum."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from trainer.naming.names import sample_names
from trainer.reasoning.problem import Problem, same_number, same_text


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    price: int
    stock: int

    @property
    def line(self) -> str:
        return f"{self.name} | {self.price} | {self.stock}"


def make_table(rng: random.Random) -> Problem:
    """A question about four to seven rows; prices differ, and so do stocks."""
    names = sample_names(rng, rng.randint(4, 7))
    prices, stocks = (rng.sample(range(2, 100), len(names)) for _ in range(2))
    rows = [_Row(*cells) for cells in zip(names, prices, stocks, strict=True)]
    ask = rng.choice((_cell, _row, _least, _sum))
    question, thought, answer, is_right = ask(rows, rng)
    return Problem(
        kind="tables",
        lines=("name | price | stock", *(row.line for row in rows)),
        question=question,
        thought=thought,
        answer=answer,
        is_right=is_right,
    )


_Asked = tuple[str, str, str, Callable[[str], bool]]


def _cell(rows: list[_Row], rng: random.Random) -> _Asked:
    row = rng.choice(rows)
    column, value = rng.choice((("price", row.price), ("stock", row.stock)))
    return f"What is the {column} of {row.name}?", row.line, str(value), same_number(value)


def _row(rows: list[_Row], rng: random.Random) -> _Asked:
    row = rng.choice(rows)
    column, value = rng.choice((("price", row.price), ("stock", row.stock)))
    return f"Which one has {column} {value}?", row.line, row.name, same_text(row.name)


def _least(rows: list[_Row], rng: random.Random) -> _Asked:
    first, second = rng.sample(rows, 2)
    row = min((first, second), key=lambda entry: entry.price)
    thought = f"{first.name} {first.price} and {second.name} {second.price}"
    question = f"Which is cheaper, {first.name} or {second.name}?"
    return question, thought, row.name, same_text(row.name)


def _sum(rows: list[_Row], rng: random.Random) -> _Asked:
    first, second = rng.sample(rows, 2)
    total = first.stock + second.stock
    thought = f"{first.stock} + {second.stock}"
    question = f"How many are in stock of {first.name} and {second.name} together?"
    return question, thought, str(total), same_number(total)
