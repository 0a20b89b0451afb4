"""An episode told to a model that did not see it."""

from __future__ import annotations

from agent_server.episodes.attempt import STEPS_TOLD, Attempt, describe_step, last_error
from agent_server.episodes.trajectory import Completion, Step
from envs.contract.actions import ActionError, ActionResult, Click, Target

TREE = "link Cart #1\nbutton Pay #2"


def make_step(index: int = 0, ref: int = 1, error: str = "") -> Step:
    result = ActionResult.failure(ActionError.NOT_FOUND, error) if error else ActionResult.success()
    return Step(
        index=index,
        prompt="",
        completion=Completion(text="click Cart"),
        thought="it is there",
        action=Click(target=Target(ref=ref)),
        result=result,
        tree=TREE,
    )


def test_an_attempt_says_task_steps_page_and_end() -> None:
    attempt = Attempt(
        instruction="Buy\na hat", steps=(make_step(),), reason="done", answer="it is bought"
    )
    assert attempt.text().split("\n") == [
        "task: Buy a hat",
        "step 1: click Cart because: it is there -> ok",
        "the page before the last action:",
        "| link Cart #1",
        "| button Pay #2",
        "it ended by: done",
        "its answer: it is bought",
    ]


def test_only_the_last_steps_of_a_long_attempt_are_told() -> None:
    steps = tuple(make_step(index) for index in range(STEPS_TOLD + 3))
    lines = Attempt(instruction="x", steps=steps).text().split("\n")
    assert lines[1] == "(3 earlier steps are left out)"
    assert sum(line.startswith("step ") for line in lines) == STEPS_TOLD


def test_an_answer_that_could_not_be_read_is_told_as_it_was() -> None:
    step = make_step(error="cannot read the action 'x'").model_copy(update={"action": None})
    assert describe_step(step).startswith("step 1: (cannot be read) click Cart because")


def test_the_last_error_is_the_newest() -> None:
    steps = [make_step(error="first"), make_step(error="second"), make_step()]
    assert last_error(steps) == "second"
    assert last_error([make_step()]) is None
