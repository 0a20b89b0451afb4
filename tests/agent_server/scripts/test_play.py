"""A script as the agent of a task: it travels in the task."""

from __future__ import annotations

import pytest

from agent_server.scripts.make import make_script
from agent_server.scripts.model import ScriptPlay
from agent_server.scripts.play import NoPlay, make_script_agent, make_script_task, read_play
from agent_server.scripts.replay import ScriptAgent
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from tests.agent_server.scripts.recorded import TASK, record

PLAY = ScriptPlay(script=make_script("phone", TASK, record()), values={"phone": "555-7"})


def nobody(name: str, task: Task) -> ScriptAgent:
    raise EpisodeFault(InvalidReason.POLICY_DENIED, f"no {name}")


def test_the_task_has_its_values_and_the_replay() -> None:
    task = make_script_task(PLAY, "t9")
    assert (task.id, task.start_url) == ("t9", TASK.start_url)
    assert task.instruction == "Set the phone of Hugo Blanc to 555-7."
    assert read_play(task) == PLAY
    assert isinstance(make_script_agent(task, nobody), ScriptAgent)


def test_a_gym_s_script_takes_the_values_that_another_seed_draws() -> None:
    recorded = TASK.model_copy(
        update={"gym": "billing", "template": "new_invoice", "seed": 1, "start_url": None}
    )
    stated = {"name": "Hugo Blanc", "price": "555-0199"}
    script = make_script("invoice", recorded, record(), stated)
    task = make_script_task(ScriptPlay(script=script, values={"price": "1"}), "t9", seed=5)
    values = read_play(task).values
    assert (task.id, values["price"]) == ("billing/new_invoice@5", "1")
    assert values["name"] == task.params["name"]


def test_a_task_without_a_script_is_refused_and_so_is_a_loop() -> None:
    with pytest.raises(NoPlay, match="no script"):
        read_play(TASK)
    broken = Task.model_validate(TASK.model_dump() | {"script": {"script": {}}})
    with pytest.raises(EpisodeFault, match=r"script: script\.name"):
        make_script_agent(broken, nobody)
    loop = make_script_task(PLAY.model_copy(update={"otherwise": "script"}), "t9")
    with pytest.raises(EpisodeFault, match="cannot take over"):
        make_script_agent(loop, nobody)
