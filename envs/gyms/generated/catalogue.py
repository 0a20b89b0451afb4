"""The generated apps that everybody has: frozen in catalogue.json, made when they are asked for.

Each row holds what an app is made from (number, domain, family), its set and the hash of its
schema, so that a changed generator shows. Sets: `train`, `dev`, `test` (domains of no train app),
and two more of the domains of `test`, each in a family of markup that no other set has: `family`
(panes) and `material`.

A configuration names a set as "gen-train", or its first apps as "gen-train:40". The apps of a
folder that `deskhand gym generate` wrote, named by DESKHAND_WORLDS, are found first.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, TypeAdapter

from envs.contract.task import Split
from envs.gyms.generated.app import make_app
from envs.gyms.generated.make_schema import FAMILIES, domains_of, make_schema
from envs.gyms.generated.programs import make_templates
from envs.gyms.generated.schema import AppSchema, Family
from envs.gyms.generated.world_folder import read_schema
from envs.gyms.kit.gym import AppGym
from envs.io.settings import EnvSettings

SetName = Literal["train", "dev", "test", "family", "material"]
SIZES: dict[SetName, int] = {"train": 160, "dev": 20, "test": 20, "family": 20, "material": 20}
SPLITS: dict[SetName, Split] = {
    "train": "train",
    "dev": "dev",
    "test": "test",
    "family": "test",
    "material": "test",
}
HELD_OUT_FAMILIES: dict[SetName, Family] = {"family": "panes", "material": "material"}
"""Of the sets whose family no other set has."""
PREFIX = "gen-"
FILE = Path(__file__).parent / "catalogue.json"
_SET = re.compile(rf"{PREFIX}({'|'.join(get_args(SetName))})(?::(\d+))?")


class Row(BaseModel):
    """One app of the catalogue."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    number: int
    set: SetName
    domain: str
    family: Family
    programs: int
    hash: str


class Catalogue(BaseModel):
    """All apps; `hash` is of the rows."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hash: str
    rows: tuple[Row, ...]


@cache
def read_catalogue() -> dict[str, Row]:
    """The frozen rows by name."""
    catalogue = TypeAdapter(Catalogue).validate_json(FILE.read_bytes())
    return {row.name: row for row in catalogue.rows}


def hash_of_catalogue() -> str:
    """The hash of the frozen rows."""
    return Catalogue.model_validate_json(FILE.read_bytes()).hash


def make_catalogue() -> Catalogue:
    """The rows as the generator makes them now."""
    rows = tuple(_make_rows())
    content = "\n".join(row.model_dump_json() for row in rows)
    return Catalogue(hash=hash_text(content), rows=rows)


def _make_rows() -> Iterator[Row]:
    """Domains and families in turn, so that the first apps of a set are as mixed as all of them."""
    number = 0
    for name, size in SIZES.items():
        held_out = HELD_OUT_FAMILIES.get(name)
        domains = list(domains_of(SPLITS[name]))
        random.Random(f"domains:{name}").shuffle(domains)
        for place in range(size):
            family = held_out or FAMILIES[place % len(FAMILIES)]
            domain = domains[place % len(domains)]
            schema = make_schema(f"{PREFIX}{number:04}", number, domain, family)
            yield Row(
                name=schema.name,
                number=number,
                set=name,
                domain=domain,
                family=family,
                programs=len(schema.programs),
                hash=hash_text(schema.model_dump_json()),
            )
            number += 1


def hash_text(text: str) -> str:
    """Short, for people to compare."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def list_names(of_set: SetName | None = None) -> tuple[str, ...]:
    """The apps of a set, or all."""
    return tuple(row.name for row in read_catalogue().values() if of_set in (None, row.set))


def expand_set(name: str) -> tuple[str, ...]:
    """The apps that "gen-train" or "gen-train:40" names; () for any other name."""
    match = _SET.fullmatch(name)
    if match is None:
        return ()
    names = list_names(TypeAdapter(SetName).validate_python(match[1]))
    return names[: int(match[2])] if match[2] else names


def get_schema(name: str) -> AppSchema | None:
    """The schema of an app: of the folder that DESKHAND_WORLDS names, else of the catalogue."""
    if not name.startswith(PREFIX):
        return None
    folder = EnvSettings.from_env().worlds
    if folder is not None and (schema := read_schema(folder, name)) is not None:
        return schema
    row = read_catalogue().get(name)
    return None if row is None else make_schema(row.name, row.number, row.domain, row.family)


@lru_cache(maxsize=512)
def find_gym(name: str) -> AppGym[Any] | None:
    """The gym of this name, made now; None where there is none."""
    schema = get_schema(name)
    return None if schema is None else make_gym(schema)


def make_gym(schema: AppSchema) -> AppGym[Any]:
    """A schema as a gym of the kit."""
    return AppGym(schema.name, (make_app(schema),), make_templates(schema))
