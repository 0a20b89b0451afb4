"""Setup steps run in order, and a failure names its step."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.inside.support.setup import Setup


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    return SimpleNamespace(home=tmp_path)


def text_file(name: str, text: str) -> dict[str, Any]:
    return {"type": "text_file", "parameters": {"path": f"/home/user/{name}", "text": text}}


async def test_later_steps_come_after_earlier_ones(machine: Any) -> None:
    assert await Setup(machine).run([text_file("a", "first"), text_file("a", "second")]) == []
    assert (machine.home / "a").read_text() == "second"


async def test_an_unknown_step_ends_the_setup(machine: Any) -> None:
    with pytest.raises(
        EpisodeFault, match=r"setup step 2: there is no step type 'nothing'"
    ) as fault:
        await Setup(machine).run([text_file("a", "x"), {"type": "nothing"}, text_file("b", "x")])
    assert fault.value.reason is InvalidReason.UNRUNNABLE
    assert [file.name for file in machine.home.iterdir()] == ["a"]


async def test_a_step_that_fails_is_named(machine: Any) -> None:
    with pytest.raises(EpisodeFault, match=r"setup step 1 \(text_file\): KeyError"):
        await Setup(machine).run([{"type": "text_file", "parameters": {"path": "a"}}])


async def test_a_step_that_osworld_lets_fail_is_noted_and_passed_over(machine: Any) -> None:
    wallpaper = {"type": "change_wallpaper", "parameters": {"path": "/home/user/none.png"}}
    notes = await Setup(machine).run([wallpaper, text_file("a", "later")])
    (note,) = notes
    assert note.startswith("setup step 1 (change_wallpaper): FileNotFoundError: /home/user/none")
    assert (machine.home / "a").read_text() == "later"


async def test_another_failure_of_such_a_step_is_a_fault(machine: Any) -> None:
    with pytest.raises(EpisodeFault, match=r"setup step 1 \(change_wallpaper\): KeyError"):
        await Setup(machine).run([{"type": "change_wallpaper"}])


async def test_a_setup_that_takes_too_long_names_its_step(machine: Any) -> None:
    endless = {"type": "sleep", "parameters": {"seconds": 50}}
    with pytest.raises(EpisodeFault, match=r"setup step 2 \(sleep\): .* within 0.05 s"):
        await Setup(machine).run([text_file("a", "x"), endless], 0.05)
