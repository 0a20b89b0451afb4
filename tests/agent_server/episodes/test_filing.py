"""Files that cannot be taken out are told, and stop nothing."""

from __future__ import annotations

from typing import cast

from agent_server.episodes.filing import take_files
from envs.client import RemoteSession
from envs.contract.files import FileInfo, NoSuchFile, SessionFileList
from envs.contract.outcomes import EpisodeFault, InvalidReason


class LosingSession:
    """Loses a file between list and read, as a program that removes it would."""

    async def list_files(self) -> SessionFileList:
        names = (("in", True), ("kept", False), ("lost", False))
        files = tuple(FileInfo(name=name, size=1, is_input=put) for name, put in names)
        return SessionFileList(files=files, notes=("too large",))

    async def read_file(self, name: str) -> bytes:
        if name == "lost":
            raise NoSuchFile("it is gone")
        return b"x"


class LostSession:
    async def list_files(self) -> SessionFileList:
        raise EpisodeFault(InvalidReason.HOST_LOST, "gone")


async def test_what_was_made_is_taken_and_what_is_lost_is_told() -> None:
    saved: dict[str, bytes] = {}
    listed = await take_files(cast("RemoteSession", LosingSession()), saved.__setitem__)
    assert saved == {"kept": b"x"}
    assert listed is not None
    assert [file.name for file in listed.files] == ["kept"]
    assert listed.notes == ("too large", "lost: it is gone")


async def test_a_session_that_is_lost_has_no_files() -> None:
    assert await take_files(cast("RemoteSession", LostSession()), {}.__setitem__) is None
