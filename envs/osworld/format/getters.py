"""Calls a getter of a task's evaluator: the same rules in the box and outside.

A getter fetches a value that a metric compares; its parameters are the rest of the `result` or
`expected` object of the task file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from envs.contract.outcomes import EpisodeFault
from envs.osworld.format.ending import Ending
from envs.state.evidence import Fault, Missing, Value, pack_value

Parameters = Mapping[str, Any]
Getter = Callable[[Any, Ending, Parameters], Awaitable[Any]]
"""(machine, ending, parameters) -> value. The machine is a `Machine`; a `Desktop` for getters that
need one; None for those that run outside of boxes."""
MAX_REASON = 2000


async def call_getter(
    getters: Mapping[str, Getter],
    machine: Any,
    ending: Ending,
    parameters: Parameters,
    folder: Path | None = None,
) -> tuple[Value, list[Path]]:
    """The getter's value as evidence, and its files; `folder` as in `pack_value`. What is missing
    is a `Missing` (it scores 0), any other error a `Fault`. Raises the getter's EpisodeFault."""
    kind = parameters.get("type")
    if kind is None or kind not in getters:
        return Fault(reason=f"there is no getter {kind!r}"), []
    try:
        result = await getters[kind](machine, ending, parameters)
        value = await asyncio.to_thread(pack_value, result, folder)
    except EpisodeFault:
        raise
    except FileNotFoundError as error:
        return Missing(what=str(error)[:MAX_REASON]), []
    except Exception as error:
        reason = f"getter {kind}: {type(error).__name__}: {error}"
        return Fault(reason=reason[:MAX_REASON]), []
    items = result if isinstance(result, list) else [result]
    return value, [item for item in items if isinstance(item, Path)]


def listed_parameter(parameters: Parameters, name: str) -> list[str]:
    """The parameter as a list: task files give a list only with `multi`."""
    return list(parameters[name]) if parameters.get("multi") else [parameters[name]]


def select_files(
    paths: Sequence[Path], parameters: Parameters, check: Callable[[Path], Path] | None = None
) -> Path | list[Path]:
    """The files whose indices `gives` lists (all without it), a list of them with `multi`. `check`
    is called for the selected files only."""
    indices = sorted(set(parameters.get("gives", range(len(paths)))))
    selected = [check(paths[index]) if check else paths[index] for index in indices]
    return selected if parameters.get("multi") and len(selected) != 1 else selected[0]
