"""Pages to read: one line of JSON each, collected once and kept.

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

import orjson

from envs.contract.observations import TreeLine, parse_tree
from envs.io.atomic_write import write_whole


class BadPages(ValueError):
    """A file of pages that cannot be read; the message names it."""


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


def write_pages(path: Path, pages: Iterable[Page]) -> int:
    """Writes each page once, atomically; returns how many they are."""
    distinct = {(page.group, page.key): page for page in pages}
    data = b"".join(orjson.dumps(asdict(page)) + b"\n" for page in distinct.values())
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [gzip.compress(data, 6, mtime=0)])
    return len(distinct)


def read_pages(path: Path) -> list[Page]:
    """The pages of a file, in their order. Raises BadPages."""
    try:
        data = gzip.decompress(path.read_bytes())
        if not data:
            raise EOFError("the file is empty")
        return [Page(**orjson.loads(line)) for line in data.splitlines()]
    except (OSError, EOFError, orjson.JSONDecodeError, TypeError) as error:
        raise BadPages(
            f"{path} holds no pages: {error}; delete it to collect them again"
        ) from error
