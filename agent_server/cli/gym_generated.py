"""Generated gyms on the command line: folders of them, and which of them an audit plays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import orjson
import typer
from rich.console import Console

from envs.contract.task import SPLIT_BASES, Split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from envs.gyms.generated.schema import Family
    from envs.gyms.server.audit import Row
    from envs.gyms.server.gym import WebGym

SHOWN_SEEDS = (0, 1)
"""The seeds whose tasks a folder shows."""


def write_apps(to: Path, count: int, first: int, family: str | None, console: Console) -> None:
    """Writes a folder of apps. Raises BadParameter for an unknown family."""
    from envs.gyms.generated.catalogue import PREFIX, make_gym
    from envs.gyms.generated.make_schema import make_schema
    from envs.gyms.generated.world_folder import write_app

    programs = 0
    for number in range(first, first + count):
        name = f"{PREFIX}{number:04}"
        schema = make_schema(name, number, family=_check_family(family))
        write_app(to, schema, make_gym(schema), SHOWN_SEEDS)
        programs += len(schema.programs)
    console.print(f"{count} apps, {programs} task programs: {to}", highlight=False)
    console.print(
        f"now: DESKHAND_WORLDS={to} deskhand gym play {PREFIX}{first:04}", highlight=False
    )


def _check_family(name: str | None) -> Family | None:
    from envs.gyms.generated.schema import Family

    families: tuple[Family, ...] = get_args(Family)
    for family in families:
        if family == name:
            return family
    if name is not None:
        known = ", ".join(families)
        raise typer.BadParameter(f"no family {name!r}; there are: {known}", param_hint="--family")
    return None


def describe_sets() -> str:
    """The sets of generated gyms, and how many there are in each."""
    from envs.gyms.generated.catalogue import PREFIX, SIZES

    sets = ", ".join(f"{PREFIX}{name} ({size})" for name, size in SIZES.items())
    return f"generated gyms, made when they are asked for: {sets}"


def find_generated(name: str | None) -> list[WebGym]:
    """The generated gyms of a set, or the one of this name; all of the catalogue where none is
    named. Raises BadParameter."""
    from envs.gyms.generated.catalogue import expand_set, find_gym, list_names

    names = list_names() if name is None else expand_set(name) or (name,)
    gyms: list[WebGym] = []
    for entry in names:
        gym = find_gym(entry)
        if gym is None:
            raise typer.BadParameter(f"no generated gym {entry!r}", param_hint="GYM")
        gyms.append(gym)
    return gyms


def write_summary(path: Path, rows: Sequence[Row], minutes: float, disturb: float) -> None:
    """Writes an audit of many apps: checks that held by set and family, and all that did not."""
    from envs.gyms.generated.catalogue import hash_of_catalogue, read_catalogue

    catalogue = read_catalogue()
    groups: dict[str, dict[str, int]] = {}
    for row in rows:
        entry = catalogue.get(row.gym)
        group = groups.setdefault(f"{entry.set}/{entry.family}" if entry else "other", {})
        counts = {"programs": 1, "tasks": row.seeds, "checks": len(row.held) * row.seeds}
        counts |= {f"held {check}": count for check, count in row.held.items()}
        for key, count in counts.items():
            group[key] = group.get(key, 0) + count
    data = {
        "catalogue": hash_of_catalogue(),
        "apps": len({row.gym for row in rows}),
        "programs": len(rows),
        "minutes": round(minutes, 1),
        "disturb": disturb,
        "checks": sum(len(row.held) * row.seeds for row in rows),
        "held": sum(sum(row.held.values()) for row in rows),
        "groups": groups,
        "failures": [failure for row in rows for failure in row.failures],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))


def list_seeds(gym: str, count: int) -> list[int]:
    """The first seeds of each split; of a frozen generated gym, those of its own split: no other
    ones are played in it."""
    from envs.gyms.generated.catalogue import SPLITS, read_catalogue

    row = read_catalogue().get(gym)
    splits: tuple[Split, ...] = get_args(Split)
    if row is not None:
        splits = (SPLITS[row.set],)
    return [SPLIT_BASES[split] + index for split in splits for index in range(count)]
