"""Measurements: the same questions each time, and shares that can be checked by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

from agent_server.episodes.compact import parse
from tests.trainer.reading.shop_pages import make_page
from tests.trainer.tiny_run import tiny_tokenizer
from trainer.learner import Learner
from trainer.reading.lessons import ACT, Lesson
from trainer.reading.measure import draw_checks, measure
from trainer.samples import Sample

DEV = [make_page(brand, "dev") for brand in ("Alder", "Maple", "Pine")]
DEMONSTRATED = [
    replace(page, task=f"Open the {brand} Linen Coat.", answer=f"click {brand} Linen Coat")
    for page, brand in zip(DEV, ("Alder", "Maple", "Pine"), strict=True)
]
INTERFACE = ("Home", "Work", "Coats", "Coat", "Linen", "Wool", "Address", "Coupon")


class KnowsShortAnswers:
    """Gives an answer of at most `length` tokens probability 0.95, longer ones 0.5."""

    def __init__(self, length: int) -> None:
        self.length = length

    def logprobs(self, samples: list[Sample]) -> list[tuple[float, ...]]:
        result = []
        for sample in samples:
            assert isinstance(sample.ce, tuple)
            answer = int(sum(sample.ce))
            total = math.log(0.95 if answer <= self.length else 0.5)
            question = (-9.0,) * (len(sample.ce) - answer)
            result.append((*question, *(total / answer,) * answer))
        return result


def test_checks_are_drawn_once_and_the_first_group_is_also_renamed() -> None:
    groups = {"dev": DEV, "unseen": [make_page("Dune", "unseen")], "none": []}
    checks = draw_checks(groups, pages=2, questions=3, seed=4, interface=())
    assert list(checks) == ["dev", "dev, renamed", "unseen"]
    assert checks == draw_checks(groups, pages=2, questions=3, seed=4, interface=())
    assert [len(lessons) for lessons in checks.values()] == [2, 2, 1]
    assert {lesson.page for lesson in checks["dev"]} < set(DEV)
    assert not any("Coat" in lesson.page.tree for lesson in checks["dev, renamed"])


def answers(lesson: Lesson) -> list[tuple[str, str, int | None]]:
    """Of each question its kind, the action that answers it, and the element."""
    result = []
    for question in lesson.questions:
        parsed = parse(question.answer, lesson.page.lines())
        (call,) = parsed.calls
        (action,) = call.actions
        target = getattr(action, "target", None)
        result.append((question.kind, action.type, None if target is None else target.ref))
    return result


def test_a_renamed_page_is_asked_the_same_questions_and_the_same_next_step() -> None:
    for seed in range(20):
        checks = draw_checks({"dev": [*DEMONSTRATED, *DEV]}, 6, 6, seed, INTERFACE)
        for plain, renamed in zip(checks["dev"], checks["dev, renamed"], strict=True):
            assert answers(plain) == answers(renamed)
            assert plain.page.tree != renamed.page.tree
            assert {plain.page.answer, renamed.page.answer} == {""} or (
                answers(renamed)[0] == (ACT, "click", 3)
                and renamed.page.answer.endswith("Linen Coat")
                and renamed.page.answer != plain.page.answer
                and renamed.questions[0].answer == renamed.page.answer
            )


def test_an_answer_is_read_when_all_of_it_is_sure() -> None:
    lessons = draw_checks({"dev": DEV}, pages=3, questions=4, seed=0, interface=())["dev"]
    tokenizer = tiny_tokenizer()
    all_read = measure(cast(Learner, KnowsShortAnswers(10_000)), tokenizer, lessons, 1000)
    assert (all_read["read"], all_read["n"]) == (1.0, 12)
    assert math.isclose(all_read["probability"], 0.95, rel_tol=1e-6)
    none_read = measure(cast(Learner, KnowsShortAnswers(0)), tokenizer, lessons, 1000)
    assert none_read["read"] == 0.0
    assert none_read["ci95"][0] == 0.0 < none_read["ci95"][1] < 0.3
    assert sum(kind["n"] for kind in none_read["kinds"].values()) == 12
