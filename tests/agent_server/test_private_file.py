from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.private_file import PrivateFileError, read_private, read_private_toml


def make_file(folder: Path, text: str, mode: int = 0o600) -> Path:
    file = folder / "private.toml"
    file.touch(mode=0o600)
    file.write_text(text)
    file.chmod(mode)
    return file


def test_its_owner_s_file_is_read(tmp_path: Path) -> None:
    file = make_file(tmp_path, "a = 1")
    assert (read_private(file), read_private_toml(file)) == ("a = 1", {"a": 1})


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_what_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(PrivateFileError, match="chmod 600"):
        read_private(make_file(tmp_path, "", mode))


def test_no_error_repeats_what_stands_there(tmp_path: Path) -> None:
    with pytest.raises(PrivateFileError) as caught:
        read_private_toml(make_file(tmp_path, 'a = "hunter-22'))
    assert "hunter" not in str(caught.value)
    with pytest.raises(PrivateFileError, match="No such file"):
        read_private(tmp_path / "nothing")
