"""Files that describe agents: the examples work, errors come all at once, keys stay outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_server.agents.config import (
    DIALECTS,
    AgentFileError,
    PythonClass,
    key_help,
    load_agent,
    names_agent,
    read_agent,
)
from agent_server.agents.python_agent import find_class
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.stamp import agent_stamp

EXAMPLES = sorted((Path(__file__).parents[3] / "configs" / "agents").glob("*.toml"))


def written(folder: Path, text: str) -> str:
    file = folder / "mine.toml"
    file.write_text(text)
    return str(file)


def test_there_is_an_example_of_every_dialect() -> None:
    assert {load_agent(str(path)).dialect for path in EXAMPLES} == DIALECTS


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_read_stamped_and_read_back(path: Path, tmp_path: Path) -> None:
    spec: Any = load_agent(str(path))
    assert spec.name == path.stem
    assert not any(word in path.read_text() for word in ("sk-", "api_key ="))
    stamp = agent_stamp(spec)
    assert stamp == agent_stamp(spec)
    assert stamp.endpoint == (spec.entry if spec.dialect == "python" else spec.base_url)
    (tmp_path / "agent.json").write_text(spec.model_dump_json())
    assert read_agent(tmp_path / "agent.json") == spec
    assert EvalSpec(policy=spec.name, agent=spec).policies == (spec.name,)


def test_all_that_is_wrong_is_told_at_once_without_the_values(tmp_path: Path) -> None:
    text = """dialect = "openai_tools"
              base_url = "https://user:sk-1@host/v1"
              api_key = "sk-2"
              temperature = 9
              headers = { "X-Api-Key" = "sk-3" }"""
    with pytest.raises(AgentFileError) as wrong:
        load_agent(written(tmp_path, text))
    message = str(wrong.value)
    assert "sk-" not in message
    lines = {line.split(": ")[1] for line in message.splitlines()}
    assert lines == {"base_url", "api_key", "temperature", "headers", "model"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dialect = ", "not valid TOML"),
        ('dialect = "morse"', "morse|dialect"),
        ('model = "m"', "dialect"),
        ('dialect = "uitars"\nbase_url = "http://h"\nmodel = "m"\nobserve = ["tree"]', "points"),
        ('dialect = "compact"\nbase_url = "h/v1"\nmodel = "m"', "http:// or https://"),
        ('dialect = "python"\nentry = "no colon"', "entry"),
        ('dialect = "openai_tools"\nsystem_file = "missing.txt"', "missing.txt"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(AgentFileError, match=words):
        load_agent(written(tmp_path, text))


def test_a_system_prompt_may_lie_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("Do {instruction}.")
    text = 'dialect = "compact"\nbase_url = "http://h/v1"\nmodel = "m"\n'
    own: Any = load_agent(written(tmp_path, text + 'system_file = "prompt.txt"'))
    assert own.system == "Do {instruction}."
    plain = agent_stamp(load_agent(written(tmp_path, text)))
    assert agent_stamp(own).prompt_sha256 != plain.prompt_sha256


def test_what_names_an_agent_and_what_a_policy_of_ours() -> None:
    assert names_agent("agents/mine.toml")
    assert names_agent("my.module:Agent")
    assert not names_agent("live")
    with pytest.raises(ValueError, match="needs a name that no policy has"):
        EvalSpec(policy="someone")
    spec: Any = PythonClass(dialect="python", entry="a:B", name="oracle")
    with pytest.raises(ValueError, match="needs a name that no policy has"):
        EvalSpec(policy="oracle", agent=spec)


def test_the_stamp_follows_the_source_of_a_class(tmp_path: Path) -> None:
    source = tmp_path / "agent_under_test.py"
    source.write_text("class One:\n    def reset(self, task): ...\n    def act(self, seen): ...\n")
    spec = PythonClass(dialect="python", entry="agent_under_test:One", path=str(tmp_path))
    before = agent_stamp(spec)
    source.write_text(source.read_text() + "\n# changed\n")
    assert agent_stamp(spec).sha256 != before.sha256
    with pytest.raises(AgentFileError, match="agent_under_test has no class Two"):
        find_class(spec.model_copy(update={"entry": "agent_under_test:Two"}))
    with pytest.raises(AgentFileError, match="cannot import agent_not_there"):
        find_class(spec.model_copy(update={"entry": "agent_not_there:One"}))


def test_every_key_has_a_line_of_help() -> None:
    for dialect in DIALECTS:
        assert all(len(line.split(": ", 1)[1]) > 12 for line in key_help(dialect).splitlines())


@pytest.mark.parametrize("name", ["oracle", "stumbling", "blind", "script", "live"])
def test_an_agent_cannot_take_the_name_of_a_policy(tmp_path: Path, name: str) -> None:
    """A worker runs its own policy of that name, and the figures would be those of that."""
    file = tmp_path / f"{name}.toml"
    file.write_text('dialect = "python"\nentry = "mine:Agent"')
    with pytest.raises(AgentFileError, match=f"'{name}' is the name of a policy; set another"):
        load_agent(str(file))
    agent = PythonClass(name=name, dialect="python", entry="mine:Agent")
    with pytest.raises(ValueError, match="a name that no policy has"):
        EvalSpec(policy=name, agent=agent)


def test_a_missing_file_is_told_with_what_is_near(tmp_path: Path) -> None:
    (tmp_path / "anthropic.toml").touch()
    with pytest.raises(AgentFileError, match=r"no such file \(did you mean anthropic\.toml"):
        load_agent(str(tmp_path / "antropic.toml"))
