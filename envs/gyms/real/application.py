"""What an application of others has to be to serve as a gym.

Its server knows several copies of its data, by the name of a folder in a header that only the gym
server can send. A copy begins as the application was installed, gets the content of a world, and is
copied for each session; what became of it is read from its files, not from its pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import aiohttp

from envs.gyms.kit.company import Company
from envs.gyms.real.server_box import ServerCommand
from envs.gyms.server.gym import State

DATA_HEADER = "X-Deskhand-Data"
"""Name of the folder with the data that a request is for."""
CLOCK_HEADER = "X-Deskhand-Clock"
"""What the time is for a request, in seconds since 1970: the same in each repetition."""
Cookies = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """A request of the page, and the status that it was answered with. `pairs`: the query with all
    values of names that stand in it more than once."""

    method: str
    path: str
    query: Mapping[str, str]
    status: int
    pairs: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldCopy:
    """A copy of the data that gets a world's content. `name`: what DATA_HEADER calls it."""

    name: str
    folder: Path
    clock: int


class Application(Protocol):
    """One per gym."""

    name: str
    """Of the gym, and the first part of its paths."""

    def server_command(self) -> ServerCommand:
        """How its server is started. It serves below /<name>/."""
        ...

    async def install(self, folder: Path) -> None:
        """Makes the data as they are before there is any content."""
        ...

    async def fill(self, http: aiohttp.ClientSession, copy: WorldCopy, world: Company) -> Cookies:
        """Puts the world's content into a copy of the installed data, by the application's own
        functions; gives the cookies of the signed-in user."""
        ...

    def make_state(self, world: Company) -> State:
        """The state that `fill` makes, computed from the world alone."""
        ...

    def read_state(self, folder: Path) -> State:
        """The canonical state of a copy: what a verdict looks at. Nothing in it depends on time or
        on numbers that the application counts up."""
        ...

    def list_events(self, request: PageRequest) -> Sequence[str]:
        """What the log of the session records of a page that was shown."""
        ...
