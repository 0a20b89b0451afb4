"""Setup steps run in order, and a failure names its step."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.inside.support.setup import run_setup


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    return SimpleNamespace(home=tmp_path)


def text_file(name: str, text: str) -> dict[str, Any]:
    return {"type": "text_file", "parameters": {"path": f"/home/user/{name}", "text": text}}


async def test_later_steps_come_after_earlier_ones(machine: Any) -> None:
    await run_setup(machine, [text_file("a", "first"), text_file("a", "second")])
    assert (machine.home / "a").read_text() == "second"


async def test_an_unknown_step_ends_the_setup(machine: Any) -> None:
    with pytest.raises(
        EpisodeFault, match=r"setup step 2: there is no step type 'nothing'"
    ) as fault:
        await run_setup(machine, [text_file("a", "x"), {"type": "nothing"}, text_file("b", "x")])
    assert fault.value.reason is InvalidReason.UNRUNNABLE
    assert [file.name for file in machine.home.iterdir()] == ["a"]


async def test_a_step_that_fails_is_named(machine: Any) -> None:
    with pytest.raises(EpisodeFault, match=r"setup step 1 \(text_file\): KeyError"):
        await run_setup(machine, [{"type": "text_file", "parameters": {"path": "a"}}])
