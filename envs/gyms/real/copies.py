"""Copies of an application's data: as installed, of worlds, of sessions.

Guarantees: a world is made once and copied for each session; the newest MAX_WORLDS worlds are kept;
everything is below one temporary folder, which goes at the end. Data that holds a symbolic link is
neither copied nor read: it would lead out of the box.
"""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from envs.gyms.real.application import Cookies
from envs.gyms.server.gym import ApplicationFailed

MAX_WORLDS = 64
MakeWorld = Callable[[str, Path], Awaitable[Cookies]]
"""Fills the folder of this name."""


@dataclass(frozen=True, slots=True)
class _World:
    folder: Path
    cookies: Cookies


class DataCopies:
    """`root` has the folders `data` (what the application's server sees) and `sockets`."""

    def __init__(self, name: str) -> None:
        self.root = Path(tempfile.mkdtemp(prefix=f"deskhand-{name}-"))
        self.data, self.sockets = self.root / "data", self.root / "sockets"
        for folder in (self.data, self.sockets):
            folder.mkdir()
        self._worlds: OrderedDict[int, _World] = OrderedDict()
        self._lock = asyncio.Lock()

    @property
    def pristine(self) -> Path:
        """The data as installed."""
        return self.data / "installed"

    @staticmethod
    def name_of(key: str) -> str:
        """Name of a session's folder; its key cannot be read from it."""
        return "s" + hashlib.sha256(key.encode()).hexdigest()[:40]

    def folder_of(self, key: str) -> Path:
        """A session's folder."""
        return self.data / self.name_of(key)

    async def copy_world(self, seed: int, key: str, make: MakeWorld) -> Cookies:
        """Gives the session the data of a world, which is made where nobody has asked for it
        lately; the cookies of its user. Worlds are made one after the other."""
        async with self._lock:
            world = self._worlds.get(seed)
            if world is None:
                world = await self._make_world(seed, make)
            self._worlds.move_to_end(seed)
            # Under the lock: what is being copied must not be dropped for another world.
            await asyncio.to_thread(_replace, world.folder, self.folder_of(key))
        return dict(world.cookies)

    async def copy_session(self, key: str, to: str) -> None:
        """Makes the data of `to` equal to those of `key`."""
        await asyncio.to_thread(_replace, self.folder_of(key), self.folder_of(to))

    def drop(self, key: str) -> None:
        """Removes a session's data."""
        shutil.rmtree(self.folder_of(key), ignore_errors=True)

    def remove(self) -> None:
        """Removes everything."""
        shutil.rmtree(self.root, ignore_errors=True)

    async def _make_world(self, seed: int, make: MakeWorld) -> _World:
        name = f"w{seed}"
        folder = self.data / name
        await asyncio.to_thread(_replace, self.pristine, folder)
        try:
            cookies = await make(name, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        while len(self._worlds) >= MAX_WORLDS:
            _, oldest = self._worlds.popitem(last=False)
            shutil.rmtree(oldest.folder, ignore_errors=True)
        world = self._worlds[seed] = _World(folder, cookies)
        return world


def check_links(folder: Path) -> None:
    """Raises ApplicationFailed where the folder is or holds a symbolic link."""
    if folder.is_symlink() or any(path.is_symlink() for path in folder.rglob("*")):
        raise ApplicationFailed("the application's data holds a symbolic link")


def _replace(source: Path, target: Path) -> None:
    check_links(source)
    shutil.rmtree(target, ignore_errors=True)
    # A link that comes while it is copied stays one.
    shutil.copytree(source, target, symlinks=True)
