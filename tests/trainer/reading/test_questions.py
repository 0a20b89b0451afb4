"""Every question has its answer on the page, and only one."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_server.episodes.compact import parse
from envs.contract.actions import Click, Done, Infeasible, SetValue, Type
from envs.contract.observations import parse_tree
from trainer.reading.questions import MAKERS, Question, make_questions

LINES = parse_tree(
    """link Home #1
heading Coats
link Opal Wool Coat $12.50 #2
link Opal Linen Coat $9.00 #3
link Iris Wool Coat $1,120.00 #4
link Iris Linen Hat $30.00 #5
select Address = Home [Home | Work] #6
box Coupon = SPRING5 #7
button Remove #8
button Remove #9
text Total $66.50"""
)
BY_REF = {line.ref: line for line in LINES}


def questions_of(kind: str) -> list[Question]:
    maker = {maker.__name__: maker for maker in MAKERS}[f"_ask_{kind}"]
    made = [maker(LINES, random.Random(seed)) for seed in range(60)]
    return list({question.text: question for question in made if question is not None}.values())


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 12))
def test_questions_differ_and_their_answers_are_valid_on_the_page(seed: int, count: int) -> None:
    questions = make_questions(LINES, random.Random(seed), count)
    assert 0 < len(questions) <= count
    assert len({question.text for question in questions}) == len(questions)
    for question in questions:
        assert parse(question.answer, LINES).action is not None, question


def test_a_question_names_an_element_that_only_one_is() -> None:
    questions = questions_of("click")
    assert len(questions) >= 5
    for question in questions:
        action = parse(question.answer, LINES).action
        assert isinstance(action, Click)
        assert action.target is not None
        name = BY_REF[action.target.ref].name
        assert name in question.text
        assert name != "Remove"


def test_a_row_is_the_only_one_with_both_words() -> None:
    answers = {question.text: question.answer for question in questions_of("row")}
    assert len(answers) >= 3
    for text, answer in answers.items():
        thought, action = answer.split("\n")
        name = thought.removeprefix("it is ")
        words = [word for word in ("Opal", "Iris", "Wool", "Linen", "Coat") if word in text]
        matching = [
            line.name for line in LINES if line.ref and set(words) <= set(line.name.split())
        ]
        assert matching == [name]
        assert action.startswith("click ")


@pytest.mark.parametrize(
    ("kind", "text", "answer"),
    [
        ("value", "What is Coupon?", "done = SPRING5"),
        ("set", "Set Address to Work.", "select Address = Work"),
        ("after", "Click the line below Opal Linen Coat $9.00.", "click Iris Wool Coat"),
        (
            "compare",
            "Which is cheaper, Iris Wool Coat or Opal Wool Coat?",
            "Iris Wool Coat $1,120.00 and Opal Wool Coat $12.50\ndone = Opal Wool Coat",
        ),
        ("count", "How many begin with Iris?", "done = 2"),
    ],
)
def test_answers_by_hand(kind: str, text: str, answer: str) -> None:
    maker = {maker.__name__: maker for maker in MAKERS}[f"_ask_{kind}"]
    answers = {
        question.text: question.answer
        for seed in range(400)
        if (question := maker(LINES, random.Random(seed))) is not None
    }
    assert answers[text] == answer


def test_what_is_not_there_is_said_not_to_be() -> None:
    (question, *_) = questions_of("missing")
    action = parse(question.answer, LINES).action
    assert isinstance(action, Infeasible)
    assert action.reason is not None
    assert action.reason.removeprefix("there is no ") in question.text


def test_all_kinds_occur_and_a_page_without_elements_gives_only_what_is_missing() -> None:
    kinds = Counter(
        question.kind
        for seed in range(40)
        for question in make_questions(LINES, random.Random(seed), 8)
    )
    assert len(kinds) == len(MAKERS)
    actions = {
        type(parse(q.answer, LINES).action) for q in make_questions(LINES, random.Random(0), 40)
    }
    assert {Click, Done, SetValue, Type} <= actions
    empty = make_questions(parse_tree("heading Nothing"), random.Random(0), 8)
    assert {question.kind for question in empty} <= {"missing"}
