"""What a seed makes for an app: its appearance, its locale and its sources of chance."""

from __future__ import annotations

import random
from typing import Protocol

from typing_extensions import TypeVar

from envs.gyms.kit.appearance import Appearance
from envs.gyms.kit.company import Company
from envs.gyms.kit.locale import Locale


class World(Protocol):
    """Immutable and shared by all sessions of a seed. Most apps show a `Company`."""

    @property
    def seed(self) -> int:
        """The seed it was made from."""
        ...

    @property
    def appearance(self) -> Appearance:
        """Layout and theme of the pages."""
        ...

    @property
    def locale(self) -> Locale:
        """How dates and money are written."""
        ...

    def rng(self, purpose: str) -> random.Random:
        """A generator for one purpose, so that one app's samples do not move another's."""
        ...


W = TypeVar("W", bound=World, default=Company)
"""The world of an app, of its requests and of its templates."""
