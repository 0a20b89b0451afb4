"""A Python class acts; its errors are a policy's, not a worker's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agent_server.agents.config import AgentFileError, PythonClass
from agent_server.agents.python_agent import PythonAgent, find_class, source_of
from agent_server.episodes.agent import Sampling
from envs.contract.actions import ActionResult, Done, Wait
from envs.contract.observations import Observation, Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task

SOURCE = """
class Waits:
    def __init__(self, ms=5):
        self.ms, self.results = ms, []
    def reset(self, task):
        self.task = task
    def act(self, observation):
        return [{"type": "wait", "ms": self.ms}] if not self.results else {"type": "done"}
    def on_results(self, results):
        self.results += results
class Breaks(Waits):
    def act(self, observation):
        raise KeyError("no such button")
class Misspells(Waits):
    def act(self, observation):
        if self.results:
            return {"type": "done", "answer": self.results[0].message}
        return {"type": "clik", "target": {"ref": 1}}
class Talks(Waits):
    async def act(self, observation):
        return "click the button"
class Listens(Waits):
    def act(self, observation):
        return {"type": "done", "answer": self.heard}
    def on_message(self, text):
        self.heard = text
class Exits(Waits):
    def act(self, observation):
        raise SystemExit(3)
class ExitsSoon(Waits):
    async def act(self, observation):
        raise SystemExit(3)
class Untyped(Waits):
    def act(self, observation):
        return {"target": {"ref": 1}}
class Needy(Waits):
    def __init__(self, model): ...
class NoAct:
    def reset(self, task): ...
"""
SEEN = Observation(hash="a")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own_agents.py").write_text(SOURCE)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "own_agents", raising=False)
    return tmp_path


def spec_of(folder: Path, name: str, **fields: object) -> PythonClass:
    data = {"dialect": "python", "entry": f"own_agents:{name}", "path": str(folder)} | fields
    return PythonClass.model_validate(data)


async def test_it_acts_and_gets_the_results(folder: Path) -> None:
    agent = PythonAgent(spec_of(folder, "Waits", options={"ms": 7}), Task(id="t", instruction="x"))
    first = await agent.act(SEEN, (), Sampling())
    assert first.parsed.actions == (Wait(ms=7),)
    second = await agent.act(SEEN, (ActionResult.success(),), Sampling())
    assert second.parsed.actions == (Done(),)


async def test_an_exception_of_the_class_is_a_refusal_and_its_traceback_is_logged(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    agent = PythonAgent(spec_of(folder, "Breaks"), Task(id="t", instruction="x"))
    with pytest.raises(EpisodeFault, match=r"no such button.*own_agents\.py:13") as caught:
        await agent.act(SEEN, (), Sampling())
    assert caught.value.reason is InvalidReason.POLICY_REFUSED
    assert 'raise KeyError("no such button")' in caplog.text


async def test_a_wrong_dict_reaches_the_agent_s_results_and_the_log(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    agent = PythonAgent(spec_of(folder, "Misspells"), Task(id="t", instruction="x"))
    wrong = await agent.act(SEEN, (), Sampling())
    assert wrong.parsed.error is not None
    assert "clik" in caplog.text
    reply = await agent.act(SEEN, (), Sampling())
    assert reply.parsed.actions == (Done(answer=wrong.parsed.error.message),)


async def test_an_answer_that_is_no_action_is_a_step_with_an_error(folder: Path) -> None:
    agent = PythonAgent(spec_of(folder, "Talks"), Task(id="t", instruction="x"))
    answer = await agent.act(SEEN, (), Sampling())
    assert answer.parsed.error is not None
    assert "str" in answer.parsed.error.message


async def test_it_hears_what_the_user_adds_or_the_log_says_that_it_cannot(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    agent = PythonAgent(spec_of(folder, "Listens"), Task(id="t", instruction="x"))
    agent.tell("only blue ones")
    assert (await agent.act(SEEN, (), Sampling())).parsed.actions == (
        Done(answer="only blue ones"),
    )
    deaf = PythonAgent(spec_of(folder, "Waits"), Task(id="t", instruction="x"))
    deaf.tell("only blue ones")
    await deaf.act(SEEN, (), Sampling())
    assert "no on_message" in caplog.text


def test_it_sees_what_its_file_says(folder: Path) -> None:
    spec = spec_of(folder, "Waits", observe=("tree",), tree_chars=300)
    observe = PythonAgent(spec, Task(id="t", instruction="x")).extend_observe(Observe())
    assert (observe.tree, observe.tree_chars, observe.screenshot) == (True, 300, None)


def test_a_class_without_the_methods_is_refused(folder: Path) -> None:
    with pytest.raises(AgentFileError, match="not a class with act"):
        find_class(spec_of(folder, "NoAct"))
    assert source_of(spec_of(folder, "Waits")) == folder / "own_agents.py"


@pytest.mark.parametrize("name", ["Exits", "ExitsSoon"])
async def test_a_class_that_would_end_the_program_ends_its_episode_alone(
    folder: Path, name: str
) -> None:
    agent = PythonAgent(spec_of(folder, name), Task(id="t", instruction="x"))
    with pytest.raises(EpisodeFault, match=r"raised SystemExit\(3\)") as caught:
        await agent.act(SEEN, (), Sampling())
    assert caught.value.reason is InvalidReason.POLICY_REFUSED


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("Misspells", "there is no 'clik' (did you mean click?)"), ("Untyped", "type is missing")],
)
async def test_a_wrong_dict_is_told_what_to_write(folder: Path, name: str, complaint: str) -> None:
    agent = PythonAgent(spec_of(folder, name), Task(id="t", instruction="x"))
    answer = await agent.act(SEEN, (), Sampling())
    assert answer.parsed.error is not None
    assert complaint in answer.parsed.error.message


def test_a_class_is_refused_before_anything_starts_when_it_cannot_be_made(folder: Path) -> None:
    with pytest.raises(AgentFileError, match=r"missing a required argument: 'model'; `options`"):
        find_class(spec_of(folder, "Needy"))
    assert find_class(spec_of(folder, "Needy", options={"model": "m"}))
    with pytest.raises(AgentFileError, match="unexpected keyword argument 'seconds'"):
        find_class(spec_of(folder, "Waits", options={"seconds": 1}))
    with pytest.raises(AgentFileError, match=r"no class Wait \(did you mean Waits\?\)"):
        find_class(spec_of(folder, "Wait"))
