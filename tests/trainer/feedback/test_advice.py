"""A task that was told what went wrong, and its prompts without it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_server.episodes.compact import build_prompt
from envs.contract.observations import Observation
from envs.contract.task import Task
from trainer.feedback.advice import advise, unadvised_prompt

TEXT = st.text(max_size=120)


def test_a_task_is_told_in_its_instruction_and_stays_itself() -> None:
    task = Task(id="shop/price@1", instruction="Buy a hat.", gym="shop", template="price", seed=1)
    advised = advise(task, "the coupon was missing")
    assert advised.instruction == "Buy a hat. An earlier attempt failed: the coupon was missing"
    assert advised.model_copy(update={"instruction": task.instruction}) == task
    assert advise(task, "") == task


@settings(max_examples=25)
@given(TEXT, st.text(min_size=1, max_size=120), st.text(max_size=40))
def test_an_untold_prompt_is_what_would_have_been_read(
    instruction: str, feedback: str, title: str
) -> None:
    observation = Observation(hash="", url="", title=title)
    advised = advise(Task(id="t", instruction=instruction), feedback).instruction
    prompt = build_prompt(advised, [], observation)
    unadvised = build_prompt(instruction, [], observation)
    assert unadvised_prompt(prompt, advised, instruction) == unadvised


def test_a_prompt_without_the_line_or_with_two_is_refused() -> None:
    assert unadvised_prompt("page: x\ntask: other", "a b", "a") is None
    assert unadvised_prompt("task: a b\ntask: a b", "a b", "a") is None
