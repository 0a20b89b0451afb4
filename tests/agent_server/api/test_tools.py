"""The list of tools has those of the environment and, in the browser, of the gyms' apps."""

from __future__ import annotations

from agent_server.api.tools import tools


def names(env: str | None) -> set[str]:
    return {tool["name"] for tool in tools(env)["tools"]}  # type: ignore[arg-type]


def test_an_environment_has_its_own_tools() -> None:
    assert "browser.find_text" in names("browser")
    assert any(name.startswith("billing.") for name in names("browser"))
    assert not any(name.startswith("billing.") for name in names("desktop"))
    assert names("browser") | names("desktop") <= names(None)


def test_every_tool_says_what_it_does_and_takes() -> None:
    for tool in tools(None)["tools"]:
        assert tool["description"]
        assert tool["parameters"]["type"] == "object"
