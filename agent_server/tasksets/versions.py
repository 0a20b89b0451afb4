"""Published states of task sets, by name: which tasks they have, and what each says.

    published/osworld-verified-2026-04.json
    {"about": "...", "tasks": {"chrome/<id>": "<16 hex digits>"}, "left_out": {"nogdrive": [...]},
     "compared_with": "...", "changed": {"chrome/<id>": ["instruction", ...]}}

Benchmarks change their files under one name, so numbers of one year are not those of the next. The
files themselves are not kept here: a task is known by the hash of its instruction, its setup and
its evaluator. Guarantees: a name stands for the same tasks for ever; a set is of a version only if
each of its tasks is, to the letter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, Field

from envs.contract.task import Task

FOLDER = Path(__file__).parent / "published"
DIGITS = 16


class Version(BaseModel):
    """A published state of a task set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str = Field(description="what it is and where it was published, in a sentence")
    tasks: dict[str, str] = Field(description="content hash by domain/id, in the order of the set")
    left_out: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="what smaller sets of the version go without, by name"
    )
    compared_with: str = Field("", description="the earlier state that `changed` compares with")
    changed: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="fields of each task that say something else since"
    )

    def split(self, smaller: str = "") -> dict[str, list[str]]:
        """The version's tasks, or those of a smaller set of it, as a split list."""
        without = set(self.left_out[smaller]) if smaller else set()
        ids: dict[str, list[str]] = {}
        for key in self.tasks:
            if key not in without:
                domain, _, name = key.partition("/")
                ids.setdefault(domain, []).append(name)
        return ids


def content_hash(task: Task) -> str:
    """Of what the task asks for, how it is set up, and how it is judged."""
    content = {"instruction": task.instruction, "config": task.config, "evaluator": task.evaluator}
    data = orjson.dumps(content, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(data).hexdigest()[:DIGITS]


@cache
def versions() -> Mapping[str, Version]:
    """By name."""
    files = sorted(FOLDER.glob("*.json"))
    return {file.stem: Version.model_validate_json(file.read_bytes()) for file in files}


def split_names() -> list[str]:
    """The names that `find_split` knows: each version, then its smaller sets."""
    return [
        name
        for known, version in versions().items()
        for name in (known, *(f"{known}-{smaller}" for smaller in version.left_out))
    ]


def find_split(name: str) -> dict[str, list[str]] | None:
    """The split list that a version's name stands for, or `<version>-<smaller set>`; None for
    another name."""
    for known, version in versions().items():
        smaller = name.removeprefix(known).removeprefix("-")
        if name == known or (name == f"{known}-{smaller}" and smaller in version.left_out):
            return version.split(smaller)
    return None


def differing(name: str, tasks: Iterable[tuple[str, Task]]) -> list[str]:
    """Of tasks by their domain, those (domain/id) that are not as in the version that `name`, also
    one of a smaller set, stands for."""
    version = next(version for known, version in versions().items() if name.startswith(known))
    return [
        f"{domain}/{task.id}"
        for domain, task in tasks
        if version.tasks.get(f"{domain}/{task.id}") != content_hash(task)
    ]


def version_of(tasks: Iterable[Task]) -> str | None:
    """The version of which all these tasks are; None where there is none."""
    hashes = {task.id: content_hash(task) for task in tasks}
    for name, version in versions().items():
        known = {key.partition("/")[2]: value for key, value in version.tasks.items()}
        if hashes and hashes.items() <= known.items():
            return name
    return None
