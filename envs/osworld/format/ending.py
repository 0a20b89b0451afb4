"""How an episode ended: what getters may look at besides the machine."""

from __future__ import annotations

import datetime
import tempfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


@dataclass(frozen=True, slots=True)
class Ending:
    """The agent's last words, and the time. `scratch`: a folder for the files that getters make; it
    belongs to this episode alone and is deleted once the episode is judged."""

    answer: str | None
    infeasible: bool
    at: datetime.datetime = field(default_factory=_now)
    scratch: Path | None = None

    def make_folder(self) -> Path:
        """A new folder in `scratch`, so equal names of two calls do not collide. Raises ValueError
        when the episode is not being judged."""
        if self.scratch is None:
            raise ValueError("this ending has no scratch folder")
        return Path(tempfile.mkdtemp(dir=self.scratch))

    def make_path(self, name: str) -> Path:
        """A path for one file in a new folder. Only the last part of `name` is used, so a name that
        a task or a document chose cannot lead out of the folder."""
        return self.make_folder() / (PurePosixPath(name).name or "file")
