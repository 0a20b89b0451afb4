"""A collection holds a value for each getter, and its files until it is dropped."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.inside.support import collect
from envs.osworld.inside.support.collect import Collector
from envs.osworld.inside.support.setup import Setup
from envs.state.evidence import Data, Fault, File, Missing

FILE = {"type": "vm_file", "path": "/home/user/a.txt", "dest": "a.txt"}


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    (tmp_path / "a.txt").write_text("text")
    return SimpleNamespace(home=tmp_path, baseline={}, outputs={"out": "printed"})


async def test_each_getter_has_its_value(machine: Any) -> None:
    missing = {**FILE, "path": "/home/user/none"}
    folder = {"type": "list_directory", "path": "/home/user"}
    getters = [FILE, missing, {"type": "rule"}, folder]
    collected = await Collector().collect(machine, Setup(machine), [], getters)
    file, none, unknown, listing = collected.values
    assert isinstance(file, File)
    assert (file.path, file.bytes) == ("a.txt", 4)
    assert isinstance(none, Missing)
    assert unknown == Fault(reason="there is no getter 'rule'"), "rules never enter the box"
    assert isinstance(listing, Data)


async def test_files_are_there_until_they_are_dropped(machine: Any) -> None:
    collector = Collector()
    printed = {"type": "cache_file", "path": "out"}
    await collector.collect(machine, Setup(machine), [], [FILE, printed])
    assert collector.file(0, 0) == machine.home / "a.txt"
    made = collector.file(1, 0)
    assert made.read_text() == "printed"
    for place in ((0, 1), (2, 0)):
        with pytest.raises(KeyError, match="no file"):
            collector.file(*place)
    collector.drop()
    assert not made.exists()
    with pytest.raises(KeyError):
        collector.file(0, 0)


async def test_a_collection_is_bounded_and_says_where_it_was(
    machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect, "COLLECT_S", 0.05)
    setup = Setup(machine, "step of the evaluator")
    endless = [{"type": "sleep", "parameters": {"seconds": 50}}]
    with pytest.raises(EpisodeFault, match=r"it was at step of the evaluator 1 \(sleep\)") as fault:
        await Collector().collect(machine, setup, endless, [])
    assert fault.value.reason is InvalidReason.EVALUATOR_ERROR


async def test_what_a_step_of_the_evaluator_lets_fail_is_noted(machine: Any) -> None:
    wallpaper = {"type": "change_wallpaper", "parameters": {"path": "/home/user/none.png"}}
    collected = await Collector().collect(machine, Setup(machine), [wallpaper], [FILE])
    assert "change_wallpaper" in collected.notes[0]
    assert isinstance(collected.values[0], File)
