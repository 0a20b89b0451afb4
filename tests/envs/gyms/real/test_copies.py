"""Copies of an application's data."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from envs.gyms.real import copies
from envs.gyms.real.application import Cookies
from envs.gyms.real.copies import DataCopies, check_links
from envs.gyms.server.gym import ApplicationFailed


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> DataCopies:
    monkeypatch.setattr(copies.tempfile, "tempdir", str(tmp_path))
    made = DataCopies("notes")
    made.pristine.mkdir()
    (made.pristine / "db").write_text("empty")
    return made


class Filler:
    """Fills a world and counts how often."""

    def __init__(self) -> None:
        self.names: list[str] = []

    async def fill(self, name: str, folder: Path) -> Cookies:
        self.names.append(name)
        (folder / "db").write_text(f"content of {name}")
        return {"user": name}


async def test_a_world_is_made_once_and_each_session_has_a_copy_of_its_own(
    data: DataCopies,
) -> None:
    filler = Filler()
    for key in ("a", "b"):
        assert await data.copy_world(7, key, filler.fill) == {"user": "w7"}
    assert filler.names == ["w7"]
    (data.folder_of("a") / "db").write_text("changed")
    assert (data.folder_of("b") / "db").read_text() == "content of w7"
    await data.copy_session("a", "b")
    assert (data.folder_of("b") / "db").read_text() == "changed"
    await data.copy_world(7, "a", filler.fill)
    assert (data.folder_of("a") / "db").read_text() == "content of w7"


async def test_the_oldest_world_goes_first(
    data: DataCopies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "MAX_WORLDS", 2)
    filler = Filler()
    for seed in (1, 2, 1, 3, 1, 2):
        await data.copy_world(seed, "key", filler.fill)
    assert filler.names == ["w1", "w2", "w3", "w2"]


async def test_a_world_that_cannot_be_made_leaves_nothing(data: DataCopies) -> None:
    async def fail(name: str, folder: Path) -> Cookies:
        raise RuntimeError("no disk")

    with pytest.raises(RuntimeError):
        await data.copy_world(1, "key", fail)
    assert sorted(path.name for path in data.data.iterdir()) == ["installed"]
    data.remove()
    assert not data.root.exists()


async def test_data_with_a_link_is_neither_copied_nor_read(
    data: DataCopies, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("of this machine")
    await data.copy_world(7, "a", Filler().fill)
    (data.folder_of("a") / "db").unlink()
    (data.folder_of("a") / "db").symlink_to(tmp_path / "secret")
    with pytest.raises(ApplicationFailed, match="symbolic link"):
        await data.copy_session("a", "b")
    with pytest.raises(ApplicationFailed, match="symbolic link"):
        check_links(data.folder_of("a"))
    shutil.rmtree(data.folder_of("a"))
    data.folder_of("a").symlink_to(tmp_path)
    with pytest.raises(ApplicationFailed, match="symbolic link"):
        await data.copy_session("a", "b")
    assert not data.folder_of("b").exists()
