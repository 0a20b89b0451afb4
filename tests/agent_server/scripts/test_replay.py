"""A replay on pages as they are, as they are disturbed, and as they no longer fit."""

from __future__ import annotations

import pytest

from agent_server.episodes.agent import Answer, Sampling
from agent_server.episodes.compact import CompactAgent
from agent_server.scripts.make import make_script
from agent_server.scripts.model import ScriptPlay
from envs.contract.actions import (
    ActionError,
    ActionResult,
    Click,
    Done,
    Infeasible,
    Navigate,
    Target,
    Type,
    Wait,
)
from envs.contract.observations import Observe
from tests.agent_server.scripts.recorded import (
    FILLED,
    FORM,
    FOUND,
    LIST,
    PERSON,
    SAVED,
    SITE,
    TASK,
    Replayed,
    observe,
    record,
)
from tests.agent_server.toy_env import ToyPolicy, toy_task

EVA = {"search": "Eva Lind", "phone": "555-7"}


def play(**values: str) -> ScriptPlay:
    return ScriptPlay(script=make_script("phone", TASK, record()), values=values)


def of_eva(tree: str) -> str:
    return tree.replace("Hugo Blanc", "Eva Lind").replace("555-0199", "555-7")


async def open_form(replayed: Replayed) -> None:
    """Up to the form of another person, which is filled in."""
    search = await replayed.see("/people", LIST)
    assert search == Type(text="Eva Lind", clear=True, submit=True, target=Target(ref=1, tree=1))
    await replayed.see("/people?q=Eva+Lind", of_eva(FOUND))
    await replayed.see("/people/p9", of_eva(PERSON))
    typed = await replayed.see("/people/p9/edit", of_eva(FORM))
    assert isinstance(typed, Type)
    assert typed.text == "555-7"


async def test_other_values_are_typed_and_the_end_is_looked_at_once_more() -> None:
    replayed = Replayed(play(**EVA))
    await open_form(replayed)
    assert isinstance(await replayed.see("/people/p9/edit", of_eva(FILLED)), Click)
    assert replayed.sent == "script phone v1, step 5"
    assert await replayed.see("/people/p9", of_eva(SAVED)) == Navigate(url=f"{SITE}/people/p9")
    assert await replayed.see("/people/p9", of_eva(SAVED)) == Done()


async def test_an_overlay_is_dismissed_and_the_step_done_then() -> None:
    replayed = Replayed(play())
    action = await replayed.see("/people", "text Cookies\nbutton Accept all cookies #7")
    assert action == Click(target=Target(ref=7, tree=1))
    assert isinstance(await replayed.see("/people", LIST), Type)


async def test_a_renamed_button_is_found_by_its_form() -> None:
    replayed = Replayed(play(**EVA))
    await open_form(replayed)
    renamed = of_eva(FILLED).replace("Save person", "Apply")
    action = await replayed.see("/people/p9/edit", renamed)
    assert isinstance(action, Click)
    assert action.target is not None
    assert action.target.selector == (
        'form[action^="/people/"][action$="/save"] button:not([type="button"])'
    )


async def test_a_control_of_another_name_is_not_pressed() -> None:
    replayed = Replayed(play(**EVA))
    await open_form(replayed)
    other = of_eva(FILLED).replace("Save person", "Delete")
    refused = ActionResult.failure(ActionError.NOT_FOUND, "matches 0 elements")
    await replayed.see("/people/p9/edit", other)
    for _ in range(3):
        assert isinstance(await replayed.see("/people/p9/edit", other, refused), Wait)
    end = await replayed.see("/people/p9/edit", other)
    assert isinstance(end, Infeasible)
    assert "no button 'Save person'" in end.reason


async def test_a_form_that_was_not_saved_is_filled_in_and_sent_again() -> None:
    replayed = Replayed(play(**EVA))
    await open_form(replayed)
    await replayed.see("/people/p9/edit", of_eva(FILLED))
    unsaved = "text Your changes were not saved\n" + of_eva(FILLED)
    assert isinstance(await replayed.see("/people/p9/edit", unsaved), Type)
    assert isinstance(await replayed.see("/people/p9/edit", unsaved), Click)
    assert isinstance(await replayed.see("/people/p9", of_eva(SAVED)), Navigate)


async def test_what_was_taken_back_is_done_again_from_its_form() -> None:
    replayed = Replayed(play(**EVA))
    await open_form(replayed)
    await replayed.see("/people/p9/edit", of_eva(FILLED))
    await replayed.see("/people/p9", of_eva(SAVED))
    taken_back = "text Your changes were not saved after all\nlink Back to the form #9"
    assert await replayed.see("/people/p9", taken_back) == Click(target=Target(ref=9, tree=1))
    assert isinstance(await replayed.see("/people/p9/edit", of_eva(FORM)), Type)


async def test_a_wrong_page_after_a_step_ends_the_replay() -> None:
    replayed = Replayed(play())
    await replayed.see("/people", LIST)
    await replayed.see("/people?q=Hugo+Blanc", FOUND)
    for _ in range(3):
        assert isinstance(await replayed.see("/login", "heading Welcome"), Wait)
    end = await replayed.see("/login", "heading Welcome")
    assert isinstance(end, Infeasible)
    assert "the address is /login, not /people/*" in end.reason


async def test_the_other_agent_takes_over_and_is_not_told_of_the_wait() -> None:
    other = CompactAgent(toy_task(2), ToyPolicy(0))
    seen: list[int] = []

    async def act(observation: object, results: list[ActionResult], sampling: Sampling) -> Answer:
        seen.append(len(results))
        return await CompactAgent.act(other, observation, results, sampling)  # type: ignore[arg-type]

    other.act = act  # type: ignore[method-assign, assignment]
    replayed = Replayed(play(), other)
    # By its attributes first, which the page refuses; then it waits for what may still come.
    await replayed.see("/people", "heading Empty")
    refused = ActionResult.failure(ActionError.NOT_FOUND, "matches 0 elements")
    for _ in range(3):
        assert isinstance(await replayed.see("/people", "heading Empty", refused), Wait)
    assert await replayed.see("/people", "heading Empty", refused) == Wait(ms=0)
    assert replayed.sent == "script phone v1 gives up at step 1"
    page = observe("/people", "text count = 0\nbutton one more #1")
    await replayed.agent.act(page, (ActionResult.success(),), Sampling())
    assert seen == [0]


def test_a_script_needs_the_tree_and_no_picture() -> None:
    request = Replayed(play()).agent.extend_observe(Observe(tree=False))
    assert (request.tree, request.screenshot) == (True, None)


@pytest.mark.parametrize("values", [{"nobody": "x"}])
def test_unknown_values_are_refused(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="there is no parameter nobody; there are: search, phone"):
        play(**values)
