"""What generated apps are about: the domains of domains.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from envs.contract.task import Split

_FILE = Path(__file__).parent / "domains.toml"


class Work(BaseModel):
    """The records that go through states, and what is special to them. `kind` and `size` are
    written "Label: option, option" and "Label: low-high unit"."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    noun: str
    plural: str = ""
    code: str
    states: str
    verbs: str
    kind: str
    size: str
    flag: str


class Thing(BaseModel):
    """What the work is about; names end in one of `words`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    noun: str
    plural: str = ""
    words: str
    kind: str
    size: str
    flag: str


class Domain(BaseModel):
    """The vocabulary of a trade. `titles` are names of apps for it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    split: Split
    titles: str
    work: Work
    thing: Thing
    staff: str
    place: str
    client: str


@cache
def read_domains() -> dict[str, Domain]:
    """All, by name, in the file's order."""
    data = tomllib.loads(_FILE.read_text())
    return TypeAdapter(dict[str, Domain]).validate_python(data)


def split_words(text: str) -> tuple[str, ...]:
    """ "a, b" as ("a", "b")."""
    return tuple(part.strip() for part in text.split(","))


def parse_choice(text: str) -> tuple[str, tuple[str, ...]]:
    """Label and options of a `kind`."""
    label, _, options = text.partition(": ")
    return label, split_words(options)


def parse_size(text: str) -> tuple[str, int, int, str]:
    """Label, least, most and unit of a `size`."""
    label, _, rest = text.partition(": ")
    extent, _, unit = rest.partition(" ")
    low, _, high = extent.partition("-")
    return label, int(low), int(high), unit


def make_plural(noun: str) -> str:
    """Of a regular noun."""
    if noun.endswith("man"):
        return f"{noun[:-3]}men"
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
