"""A policy that is shown pictures: its prompts, what becomes of an oracle's answers."""

from __future__ import annotations

import asyncio
import base64
import io

import pytest
from PIL import Image

from agent_server.episodes.agent import Answer, Sampling, Turn
from agent_server.episodes.seeing_agent import SeeingAgent, point_actions
from agent_server.episodes.trajectory import Completion
from envs.contract.actions import (
    ActionError,
    ActionResult,
    Click,
    Done,
    Key,
    Scroll,
    SetValue,
    Target,
    Type,
)
from envs.contract.observations import Observation, Observe, ScreenPart, Screenshot, Tree
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Task
from envs.dialects.dialect import Refused
from envs.dialects.pictures import fit_to_size
from envs.dialects.view import View

TASK = Task(id="t", instruction="Click on Save")
SEES = View(observe="picture", dialect="uitars", pictures=2)
POINTS = {1: (100, 50), 2: (20, 180)}


def screenshot(shade: int) -> Screenshot:
    file = io.BytesIO()
    Image.new("RGB", (200, 200), (shade, 0, 0)).save(file, "png")
    data = base64.b64encode(file.getvalue()).decode()
    return Screenshot(format="png", width=200, height=200, data=data)


def observe(shade: int) -> Observation:
    tree = Tree(id=1, text="button Save #1\nbox Name #2", points=POINTS)
    return Observation(hash=str(shade), title="Form", tree=tree, screenshot=screenshot(shade))


class Script:
    """Says these texts in turn."""

    def __init__(self, *texts: str) -> None:
        self.texts, self.turns = list(texts), list[Turn]()

    async def act(self, turn: Turn) -> Completion:
        self.turns.append(turn)
        return Completion(text=self.texts.pop(0))


def halve(picture: Screenshot) -> Screenshot:
    return fit_to_size(picture, (100, 100))


def play(script: Script, view: View, oracle: bool) -> list[Answer]:
    agent = SeeingAgent(TASK, script, view, halve, policy_speaks_compact=oracle)

    async def run() -> list[Answer]:
        failed = ActionResult.failure(ActionError.NOT_FOUND, "nothing there")
        return [
            await agent.act(observe(shade), [failed] if shade else [], Sampling())
            for shade in range(len(script.texts))
        ]

    return asyncio.run(run())


def test_a_prompt_shows_the_last_pictures_as_the_model_reads_them() -> None:
    script = Script(*["Action: click(start_box='(500,250)')"] * 3)
    answers = play(script, SEES, oracle=False)
    assert [len(turn.pictures) for turn in script.turns] == [1, 2, 2]
    assert script.turns[2].pictures == (halve(screenshot(1)), halve(screenshot(2)))
    assert answers[0].parsed.actions == (Click(target=Target(x=100, y=50)),)
    assert script.turns[0].prompt == "task: Click on Save"
    assert script.turns[1].prompt == (
        "task: Click on Save\ndid: Action: click(start_box='(500,250)')\nerror: nothing there"
    )
    seen = answers[2].completion.pictures
    assert [picture.size for picture in seen] == [(100, 100)] * 2
    assert seen[0].name == answers[1].completion.pictures[1].name, "the same file"
    assert base64.b64decode(halve(screenshot(2)).data) == seen[1].data


def test_an_oracles_move_is_said_and_done_in_the_policys_dialect() -> None:
    script = Script("I save.\nclick Save", "type Name = Ada", "set Name = Ada", "done")
    answers = play(script, SEES, oracle=True)
    assert answers[0].completion.text == "Thought: I save.\nAction: click(start_box='(500,250)')"
    assert answers[0].parsed.actions == (Click(target=Target(x=100, y=50)),)
    at = Target(x=20, y=180)
    typed = (Click(target=at), Key(keys=("ctrl", "a")), Type(text="Ada"))
    assert answers[1].parsed.actions == typed
    assert answers[2].parsed.error is not None, "no input sets a value"
    assert answers[3].parsed.actions == (Done(),)


def test_a_demonstration_may_leave_out_the_oracles_thought() -> None:
    silent = SEES.model_copy(update={"thoughts": False})
    (answer,) = play(Script("#1 is Save.\nclick Save"), silent, oracle=True)
    assert answer.completion.text == "Action: click(start_box='(500,250)')"


def test_a_box_is_no_part_of_what_was_done() -> None:
    boxes = View(observe="picture", dialect="glm")
    script = Script("click Save", "click Save")
    answers = play(script, boxes, oracle=True)
    click = "left_click(start_box='[500,250]')"
    assert answers[0].completion.text == f"<|begin_of_box|>{click}<|end_of_box|>"
    assert answers[0].parsed.actions == (Click(target=Target(x=100, y=50)),)
    assert f"\ndid: {click}" in script.turns[1].prompt


def test_pixels_are_those_of_the_picture_that_was_shown() -> None:
    pixels = SEES.model_copy(update={"coordinates": "absolute", "dialect": "computer_use"})
    (answer,) = play(Script("click Save"), pixels, oracle=True)
    assert '"coordinate": [50, 25]' in answer.completion.text
    assert answer.parsed.actions == (Click(target=Target(x=100, y=50)),)


def test_both_shows_the_tree_beside_the_picture() -> None:
    script = Script("click Save")
    (answer,) = play(script, View(observe="both"), oracle=False)
    assert script.turns[0].prompt.startswith("page: Form\nbutton Save #1")
    assert len(script.turns[0].pictures) == 1
    assert answer.parsed.actions == (Click(target=Target(ref=1, tree=1)),)


def test_only_what_is_read_is_asked_for() -> None:
    script, default = Script(), Observe()

    def asked(view: View, oracle: bool) -> Observe:
        agent = SeeingAgent(TASK, script, view, halve, policy_speaks_compact=oracle)
        return agent.extend_observe(default)

    assert (asked(SEES, False).tree, asked(SEES, False).points) == (False, False)
    assert (asked(SEES, True).tree, asked(SEES, True).points) == (True, True)
    assert asked(View(observe="both"), True).points is False


def test_without_a_picture_the_infrastructure_failed() -> None:
    agent = SeeingAgent(TASK, Script("x"), SEES, halve, policy_speaks_compact=False)
    with pytest.raises(EpisodeFault, match="no picture"):
        asyncio.run(agent.act(Observation(hash="1"), [], Sampling()))


def test_an_explained_dialect_stands_before_the_task() -> None:
    script = Script("Action: finished()")
    play(script, SEES.model_copy(update={"explain": True}), oracle=False)
    assert script.turns[0].prompt.startswith("Answer with 'Thought: ...'")


def test_actions_on_elements_become_input_at_their_points() -> None:
    check = SetValue(target=Target(ref=2), value=True)
    assert point_actions(check, POINTS) == [Click(target=Target(x=20, y=180))]
    turn = Scroll(dy=1, unit="page")
    assert point_actions(turn, POINTS) == [turn]
    with pytest.raises(Refused, match="no known place"):
        point_actions(Click(target=Target(ref=9)), POINTS)


def test_points_stay_those_of_the_whole_screen_while_a_part_is_shown() -> None:
    pixels = SEES.model_copy(update={"coordinates": "absolute"})
    script = Script(*["Action: click(start_box='(50,25)')"] * 2)
    agent = SeeingAgent(TASK, script, pixels, halve, policy_speaks_compact=False)
    part = ScreenPart(left=40, top=20, right=80, bottom=60, screen=(200, 200))
    closer = screenshot(7).model_copy(update={"part": part})

    async def run() -> list[Answer]:
        seen = [observe(0), Observation(hash="2", screenshot=closer)]
        return [await agent.act(each, [], Sampling()) for each in seen]

    first, second = asyncio.run(run())
    assert first.parsed.actions == second.parsed.actions == (Click(target=Target(x=100, y=50)),)
    assert script.turns[1].prompt.startswith("picture: the part (20,10) to (40,30) of the screen")
    assert "picture:" not in script.turns[0].prompt
    assert [picture.part for picture in script.turns[1].pictures] == [None, part]
