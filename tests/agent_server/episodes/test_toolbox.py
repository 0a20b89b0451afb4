"""A user's file of tools: what it must hold, and what its reward may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.episodes.toolbox import Toolbox, ToolboxError, ToolProblem, load_toolbox

HEAD = "from agent_server.episodes.toolbox import Toolbox, ToolProblem\n"
TOOL = '@box.tool("look")\nasync def look(resource): ...\n'
PROBLEM = '@box.problem\ndef make(rng): return ToolProblem("q")\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", "makes 0 toolboxes; it must make one"),
        ("raise ValueError('no')", "cannot be read: ValueError('no')"),
        ("box = Toolbox('b')\n", "the toolbox b has no tool: decorate one with"),
        ("box = Toolbox('b')\n" + TOOL, "has no problem: decorate a function with @box.problem"),
        ("box = Toolbox('b')\n" + TOOL + PROBLEM, "has no reward"),
    ],
)
def test_a_file_without_a_part_is_refused_in_a_sentence(
    tmp_path: Path, text: str, words: str
) -> None:
    file = tmp_path / "box.py"
    file.write_text(HEAD + text)
    with pytest.raises(ToolboxError) as refused:
        load_toolbox(file)
    assert words in str(refused.value)
    assert str(file) in str(refused.value)


@pytest.mark.parametrize("value", [2.0, -1.0, "1", float("nan")])
async def test_a_reward_that_is_no_number_from_0_to_1_is_an_error(value: object) -> None:
    box = Toolbox("b")

    @box.reward
    async def score(resource: object, data: object, answer: str | None) -> object:
        return value

    with pytest.raises(ValueError, match="not a number from 0 to 1"):
        await box.score(None, ToolProblem("q"), None)
