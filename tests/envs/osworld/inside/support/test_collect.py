"""A collection holds a value for each getter, and its files until it is dropped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.inside.support import collect
from envs.osworld.inside.support.collect import Collector
from envs.state.evidence import Data, Fault, File, Missing

FILE = {"type": "vm_file", "path": "/home/user/a.txt", "dest": "a.txt"}


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    (tmp_path / "a.txt").write_text("text")
    return SimpleNamespace(home=tmp_path, baseline={}, outputs={"out": "printed"})


async def nothing(steps: Sequence[Any]) -> None:
    assert list(steps) == []


async def test_each_getter_has_its_value(machine: Any) -> None:
    missing = {**FILE, "path": "/home/user/none"}
    folder = {"type": "list_directory", "path": "/home/user"}
    getters = [FILE, missing, {"type": "rule"}, folder]
    collected = await Collector().collect(machine, nothing, [], getters)
    file, none, unknown, listing = collected.values
    assert isinstance(file, File)
    assert (file.path, file.bytes) == ("a.txt", 4)
    assert isinstance(none, Missing)
    assert unknown == Fault(reason="there is no getter 'rule'"), "rules never enter the box"
    assert isinstance(listing, Data)


async def test_files_are_there_until_they_are_dropped(machine: Any) -> None:
    collector = Collector()
    printed = {"type": "cache_file", "path": "out"}
    await collector.collect(machine, nothing, [], [FILE, printed])
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


async def test_a_collection_is_bounded(machine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "COLLECT_S", 0.01)

    async def endless(steps: Sequence[Any]) -> None:
        import asyncio

        await asyncio.sleep(60)

    with pytest.raises(EpisodeFault) as fault:
        await Collector().collect(machine, endless, [], [])
    assert fault.value.reason is InvalidReason.EVALUATOR_ERROR
