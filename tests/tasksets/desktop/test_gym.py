from __future__ import annotations

import pytest

from envs.contract.observations import Observation
from envs.contract.task import Task
from tasksets.desktop.catalog import TEMPLATES
from tasksets.desktop.gym import GYM, DesktopGym, script_oracle
from tasksets.registry import get_gym

NO_TREE = Observation(hash="0")


def test_it_is_registered_by_name() -> None:
    assert get_gym("desktop") is GYM


def test_a_task_carries_what_the_template_says() -> None:
    task = GYM.make_task("calc_hide_rows", 11)
    assert task.id == "desktop/calc_hide_rows@11"
    assert (task.env, task.gym, task.template, task.seed) == (
        "desktop",
        "desktop",
        "calc_hide_rows",
        11,
    )
    assert task.limits.max_steps == 30
    assert GYM.make_task("calc_total", 11).limits.max_steps == 15
    assert (task.model_extra or {})["related_apps"] == ["libreoffice_calc"]


def test_two_templates_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two templates have the same name"):
        DesktopGym([TEMPLATES[0], TEMPLATES[1], TEMPLATES[0]])


def test_an_unknown_template_is_named_with_those_there_are() -> None:
    with pytest.raises(KeyError, match=r"no template 'calc_magic'; there are: browser_price, "):
        GYM.make_task("calc_magic", 1)


def test_the_oracle_keeps_to_the_actions_that_the_task_allows() -> None:
    task = GYM.make_task("calc_total", 1)
    assert script_oracle(task).move(NO_TREE).action.type == "tool"
    by_gui = task.model_copy(update={"tools": "gui"})
    assert script_oracle(by_gui).move(NO_TREE).action.type == "wait"


@pytest.mark.parametrize(
    ("task", "kind"),
    [
        (GYM.make_task("calc_dropdown", 1).model_copy(update={"tools": "gui"}), "gui"),
        (Task(id="foreign", instruction="", env="desktop"), "api"),
    ],
)
def test_a_task_without_a_fitting_oracle_says_so(task: Task, kind: str) -> None:
    with pytest.raises(KeyError, match=f"{task.id} has no {kind} oracle"):
        script_oracle(task)


def test_the_corpus_has_an_instruction_of_every_template() -> None:
    texts = GYM.corpus(2)
    assert texts == GYM.corpus(2)
    count = len(TEMPLATES)
    for index, name in enumerate(GYM.templates):
        assert GYM.make_task(name, 2 * count + index).instruction in texts
