"""An endpoint named on the command line becomes an agent's file."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.agents.config import AgentFileError, OpenAITools, load_configured
from agent_server.agents.endpoint_file import write_endpoint

URL = "http://127.0.0.1:11434/v1"


@pytest.mark.parametrize(("key", "variable"), [("sk-1", "OPENAI_API_KEY"), ("", None)])
def test_the_key_stays_in_its_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, variable: str | None
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    path = write_endpoint(tmp_path / "run", URL, "small")
    agent = load_configured([path])["endpoint"]
    assert isinstance(agent, OpenAITools)
    assert (agent.base_url, agent.model, agent.api_key_env) == (URL, "small", variable)
    assert agent.observe == ("tree",)
    assert "sk-1" not in path.read_text()


def test_an_address_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AgentFileError, match="base_url: an http"):
        write_endpoint(tmp_path, "localhost:8000", "small")
