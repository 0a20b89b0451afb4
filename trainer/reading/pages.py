"""Pages to read: one line of JSON each, collected once and kept, after a line of the settings that
they were collected with. A file of other settings is refused: its split may be another.

A page is what the policy would see of it: title, tree, and what lies outside the viewport. `group`
says which set it belongs to; names of dev pages occur in no train page. A page of a demonstration
also has the task with its history, as the prompt shows them, and the oracle's answer.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from envs.contract.observations import TreeLine, parse_tree
from envs.io.atomic_write import write_whole
from trainer.config_changes import changed_keys, describe_changes
from trainer.reading.config import PagesConfig

_FREE = ("file", "sessions")
"""Keys of `[pages]` that change none of them."""


class BadPages(ValueError):
    """A file of pages that cannot be used; the message names it."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page, and where it is from: gym/template, and train, dev or unseen."""

    template: str
    group: str
    title: str
    tree: str
    scroll: str = ""
    task: str = ""
    """of a demonstration: instruction and history, as they follow the page in a prompt"""
    answer: str = ""
    """of a demonstration: what its oracle answers, in the compact dialect"""

    @property
    def key(self) -> str:
        """Equal for pages that show the same, with the same task and answer."""
        content = f"{self.text()}\n{self.task}\n{self.answer}"
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def text(self) -> str:
        """As a prompt shows it."""
        outside = f"\n({self.scroll})" if self.scroll else ""
        return f"page: {self.title}\n{self.tree}{outside}"

    def lines(self) -> list[TreeLine]:
        """The tree, parsed."""
        return parse_tree(self.tree)


def write_pages(path: Path, pages: Iterable[Page], config: PagesConfig, seed: int) -> int:
    """Writes each page once, atomically, and how they were collected; returns how many they are."""
    distinct = {(page.group, page.key): page for page in pages}
    rows = [collected_with(config, seed), *(asdict(page) for page in distinct.values())]
    data = b"".join(orjson.dumps(row) + b"\n" for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [gzip.compress(data, 6, mtime=0)])
    return len(distinct)


def collected_with(config: PagesConfig, seed: int) -> dict[str, Any]:
    """The first line of a file: the settings that its pages depend on."""
    return {"pages": config.model_dump(mode="json", exclude=set(_FREE)), "seed": seed}


def read_pages(path: Path, config: PagesConfig, seed: int) -> list[Page]:
    """The pages of a file, in their order. Raises BadPages, also where they were collected with
    other settings than these, or it is not known with which."""
    try:
        data = gzip.decompress(path.read_bytes())
        if not data:
            raise EOFError("the file is empty")
        settings, *rows = (orjson.loads(line) for line in data.splitlines())
        if "pages" in settings:
            pages = [Page(**row) for row in rows]
    except (OSError, EOFError, orjson.JSONDecodeError, TypeError) as error:
        raise BadPages(
            f"{path} holds no pages: {error}; delete it to collect them again"
        ) from error
    if "pages" not in settings:
        raise BadPages(
            f"{path} does not say with which settings its pages were collected, as files of "
            "earlier versions: delete it to collect them again, or give another pages.file"
        )
    _check_settings(path, settings, config, seed)
    return pages


def _check_settings(path: Path, settings: dict[str, Any], config: PagesConfig, seed: int) -> None:
    try:
        before = PagesConfig.model_validate(settings["pages"])
    except ValidationError as error:
        raise BadPages(
            f"{path} was collected by another version, with settings that there are no more; "
            "delete it to collect pages again, or give another pages.file"
        ) from error
    before = before.model_copy(update={key: getattr(config, key) for key in _FREE})
    changes = {f"pages.{key}": pair for key, pair in changed_keys(before, config).items()}
    if settings["seed"] != seed:
        changes["seed"] = (settings["seed"], seed)
    if changes:
        raise BadPages(
            f"{path} was collected with other settings: {describe_changes(changes)}; give another "
            "pages.file, or delete it to collect pages again"
        )
