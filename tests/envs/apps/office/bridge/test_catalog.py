from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from envs.apps.office.bridge.catalog import TOOLS, index_by_name
from envs.apps.office.registry import ToolGroup

ROOT = Path(__file__).parents[5]


def test_there_are_tools_of_every_kind() -> None:
    counts = dict.fromkeys(("calc", "writer", "impress", "office"), 0)
    for tool in TOOLS.values():
        counts[tool.kind] += 1
    assert len(TOOLS) >= 145
    assert counts["calc"] > 60
    assert min(counts.values()) >= 4


@pytest.mark.parametrize("name", [tool.name for tool in TOOLS.values() if tool.kind != "office"])
def test_a_tool_of_documents_has_a_schema_a_description_and_its_kinds_name(name: str) -> None:
    tool = TOOLS[name]
    assert name.startswith(f"{tool.kind}.")
    assert tool.function.__doc__
    assert TypeAdapter(tool.function).json_schema()["properties"]


def test_a_name_is_given_once() -> None:
    group = ToolGroup("calc")
    for _ in range(2):
        group.tool("calc.twice")(lambda doc: None)
    with pytest.raises(ValueError, match=r"two office tools calc\.twice"):
        index_by_name([group])


def test_the_modules_need_nothing_but_the_standard_library() -> None:
    """The bridge's Python has no packages of this project; -S leaves out those of this one."""
    code = "import envs.apps.office.bridge.calls as calls; print(len(calls.TOOLS))"
    process = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert process.stdout.strip() == str(len(TOOLS)), process.stderr
