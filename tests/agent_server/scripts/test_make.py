"""From a trajectory to a script: what is kept, what is a parameter, what cannot be repeated."""

from __future__ import annotations

import pytest

from agent_server.scripts.make import CannotScript, make_script
from agent_server.scripts.model import Beginning, Check, Named, Script, ScriptPlay
from agent_server.scripts.play import make_script_task
from envs.contract.actions import ElementTraits, Target, Type
from tests.agent_server.scripts.recorded import FOUND, LIST, TASK, make_step, record


def script() -> Script:
    return make_script("phone", TASK, record(), episode="e1")


def test_detours_are_left_out_and_values_of_the_instruction_are_parameters() -> None:
    made = script()
    assert made.examples == {"search": "Hugo Blanc", "phone": "555-0199"}
    assert made.task.instruction == "Set the phone of {search} to {phone}."
    assert [step.action for step in made.steps] == [
        {"type": "type", "text": "{search}", "clear": True, "submit": True},
        {"type": "click"},
        {"type": "click"},
        {"type": "type", "text": "{phone}", "clear": True},
        {"type": "click"},
    ]
    assert made.steps[1].target == (Named(role="link", name="{search}"),)
    assert [step.sends for step in made.steps] == [False, False, False, False, True]


def test_checks_hold_on_another_day() -> None:
    steps = script().steps
    assert steps[0].then == Check(path="/people", query={"q": "{search}"})
    assert steps[1].then == Check(path="/people/*", shows="{search}")
    assert steps[4].then == Check(path="/people/*", shows="✓ Saved")


def test_a_stated_parameter_has_its_name_and_must_have_been_used() -> None:
    made = make_script("phone", TASK, record(), stated={"who": "Hugo Blanc"})
    assert made.examples == {"who": "Hugo Blanc", "phone": "555-0199"}
    with pytest.raises(CannotScript, match="neither typed"):
        make_script("phone", TASK, record(), stated={"who": "Nobody"})


def test_what_overcame_an_interruption_is_no_step() -> None:
    steps = record()
    banner = "text We use cookies\nbutton Accept all cookies #1"
    steps.insert(2, make_step(2, "/people", banner, {"type": "click", "target": {"ref": 1}}))
    assert make_script("phone", TASK, steps).steps == script().steps


def test_a_form_that_was_not_saved_is_filled_in_once() -> None:
    steps = record()
    number, save = steps[5], steps[6]
    again = number.model_copy(update={"tree": f"text It was not saved\n{number.tree}"})
    assert make_script("phone", TASK, [*steps[:7], again, save, steps[7]]).steps == script().steps


def test_a_point_of_a_picture_is_found_by_what_stood_there() -> None:
    point = {"type": "click", "target": {"x": 10, "y": 20}}
    traits = ElementTraits(role="link", label="Hugo Blanc", tag="a", href="/people/p7")
    steps = [make_step(0, "/people", LIST, point, traits)]
    steps.append(make_step(1, "/people", FOUND, {"type": "done"}))
    assert make_script("x", TASK, steps).steps[0].target[0] == Named(role="link", name="Hugo Blanc")


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (record()[:-1], "has no end"),
        ([make_step(0, "/", "", {"type": "click", "target": {"x": 1, "y": 2}}), *record()], "find"),
    ],
)
def test_what_cannot_be_repeated_is_said(steps: list[object], why: str) -> None:
    with pytest.raises(CannotScript, match=why):
        make_script("x", TASK, steps)  # type: ignore[arg-type]


def test_a_name_with_a_number_is_found_by_its_beginning_too() -> None:
    cart = "link Cart (2) #1\nheading Shop"
    steps = [make_step(0, "/shop", cart, {"type": "click", "target": {"ref": 1}})]
    steps.append(make_step(1, "/cart", "heading Cart", {"type": "done"}))
    assert make_script("x", TASK, steps).steps[0].target == (
        Named(role="link", name="Cart (2)"),
        Beginning(role="link", begins="Cart"),
    )


def test_a_script_keeps_the_names_of_secrets_and_makes_no_parameter_of_them() -> None:
    named = "{secret:crm_password}"
    instruction = f"Log in. Type {named} into the field of the password."
    task = TASK.model_copy(update={"instruction": instruction, "secrets": ("crm_password",)})
    typed = {"type": "type", "text": named, "target": {"ref": 1}}
    steps = [
        make_step(0, "/login", "box Password #1", typed),
        make_step(1, "/login", "box Password = x #1", {"type": "done"}),
    ]
    script = make_script("login", task, steps)
    assert script.task.secrets == ("crm_password",)
    assert script.examples == {}
    play = ScriptPlay(script=script)
    assert make_script_task(play, "t2").secrets == ("crm_password",)
    action = script.steps[0].make_action({}, Target(ref=1))
    assert isinstance(action, Type)
    assert action.text == named
