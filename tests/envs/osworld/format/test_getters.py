"""A call of a getter ends with a value, with Missing, or with Fault."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import (
    MAX_REASON,
    Getter,
    call_getter,
    listed_parameter,
    select_files,
)
from envs.state.evidence import Data, Fault, File, Files, Missing, Value


def call(getter: Getter, folder: Path | None = None) -> tuple[Value, list[Path]]:
    table = {"it": getter}
    return asyncio.run(call_getter(table, None, Ending(None, False), {"type": "it"}, folder))


def returning(value: Any) -> Getter:
    async def getter(machine: Any, ending: Ending, parameters: Any) -> Any:
        return value

    return getter


def raising(error: Exception) -> Getter:
    async def getter(machine: Any, ending: Ending, parameters: Any) -> Any:
        raise error

    return getter


def test_json_and_files(tmp_path: Path) -> None:
    assert call(returning({"a": [1, None]})) == (Data(value={"a": [1, None]}), [])
    file = tmp_path / "a.txt"
    file.write_text("x")
    value, files = call(returning(file), tmp_path)
    assert isinstance(value, File)
    assert (value.path, value.bytes, files) == ("a.txt", 1, [file])
    value, files = call(returning([file, file]), tmp_path)
    assert isinstance(value, Files)
    assert files == [file, file]


def test_what_is_missing_is_no_fault() -> None:
    assert call(raising(FileNotFoundError("a.txt"))) == (Missing(what="a.txt"), [])


def test_any_other_error_is_a_fault_with_its_reason() -> None:
    value, _ = call(raising(KeyError("dest")))
    assert value == Fault(reason="getter it: KeyError: 'dest'")
    value, _ = call(raising(ValueError("x" * 2 * MAX_REASON)))
    assert isinstance(value, Fault)
    assert len(value.reason) == MAX_REASON


def test_an_episode_fault_ends_the_collection() -> None:
    with pytest.raises(EpisodeFault):
        call(raising(EpisodeFault(InvalidReason.HOST_LOST, "gone")))


@pytest.mark.parametrize("parameters", [{}, {"type": "other"}])
def test_an_unknown_getter_is_a_fault(parameters: dict[str, str]) -> None:
    value, _ = asyncio.run(call_getter({}, None, Ending(None, False), parameters))
    assert value == Fault(reason=f"there is no getter {parameters.get('type')!r}")


def test_a_parameter_is_a_list_only_with_multi() -> None:
    assert listed_parameter({"path": "a"}, "path") == ["a"]
    assert listed_parameter({"path": ["a", "b"], "multi": True}, "path") == ["a", "b"]


def test_only_selected_files_are_checked() -> None:
    paths = [Path(name) for name in "abc"]
    checked: list[Path] = []

    def check(path: Path) -> Path:
        checked.append(path)
        return path

    assert select_files(paths, {"multi": True, "gives": [2, 0]}, check) == [paths[0], paths[2]]
    assert checked == [paths[0], paths[2]]
    assert select_files(paths, {"multi": True, "gives": [1]}) == paths[1]
    assert select_files(paths[:1], {}) == paths[0]
