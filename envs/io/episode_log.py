"""Log lines that say which episode they are of.

Guarantees: each line of a process that called `set_log_format` names the episode that it was
written for, or `-`; the name is of letters, digits and `._-`, whatever a request said.
"""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Iterator
from contextvars import ContextVar

FORMAT = "%(asctime)s %(levelname)s %(name)s [%(episode)s]: %(message)s"
HEADER = "X-Episode-Id"
"""Of a request to a host: the episode that it is made for."""
NONE = "-"
_PLAIN = re.compile(r"[\w.-]{1,64}", re.ASCII)
_episode: ContextVar[str] = ContextVar("episode", default=NONE)


def set_log_format(level: str) -> None:
    """All lines of this process, to its standard error."""
    logging.basicConfig(level=level, format=FORMAT, force=True)
    for handler in logging.getLogger().handlers:
        handler.addFilter(_name_episode)


@contextlib.contextmanager
def log_for(episode_id: str) -> Iterator[None]:
    """Lines that are written in the body, or in tasks that it starts, are of this episode."""
    token = _episode.set(episode_id if _PLAIN.fullmatch(episode_id) else NONE)
    try:
        yield
    finally:
        _episode.reset(token)


def get_episode() -> str:
    """The episode that lines are of now; NONE outside of one."""
    return _episode.get()


def _name_episode(record: logging.LogRecord) -> bool:
    record.episode = _episode.get()
    return True
