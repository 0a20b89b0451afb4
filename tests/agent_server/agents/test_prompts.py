"""Every system prompt names the screen and how an episode ends."""

from __future__ import annotations

import pytest

from agent_server.agents import prompts
from envs.contract.task import Env, Task

TEXTS = {
    name: text
    for name, text in vars(prompts).items()
    if name.isupper() and isinstance(text, str) and name != "INFEASIBLE"
}
ENDS = ("done", "DONE", "finished")


@pytest.mark.parametrize("env", ["browser", "desktop"])
@pytest.mark.parametrize("name", TEXTS)
def test_a_prompt_is_complete(name: str, env: Env) -> None:
    text = prompts.prompt(TEXTS[name], Task(id="t", instruction="x", env=env))
    assert prompts.SCREENS[env] in text
    assert any(end in text for end in ENDS)
    braces = (
        text.replace("{instruction}", "").replace('{"ref": n}', "").replace('{"x": x, "y": y}', "")
    )
    assert "{" not in braces
