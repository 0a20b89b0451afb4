"""Evidence: what it takes in, where its files may lie, and how it is kept."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from envs.state import bundle
from envs.state.bundle import BadBundle, pack_evidence, unpack_evidence
from envs.state.evidence import (
    MAX_FILE,
    Data,
    Evidence,
    File,
    Files,
    Measure,
    Missing,
    TooLarge,
    pack_value,
    safe_name,
    unpack_value,
)

HASH = "0" * 64


def evidence(folder: Path) -> Evidence:
    (folder / "0").mkdir()
    (folder / "0/a.txt").write_text("one")
    (folder / "0/b.txt").write_text("two")
    both = pack_value([folder / "0/a.txt", folder / "0/b.txt"], folder)
    return Evidence(
        task_id="t",
        measures=(Measure(func="compare", result=both, expected=Data(value={"a": [1, None]})),),
        milestones={"began": Measure(func="exact_match", result=Missing(what="/home/user/c"))},
    )


def test_values_are_what_they_were(tmp_path: Path) -> None:
    file = tmp_path / "0" / "ä b.txt"
    file.parent.mkdir()
    file.write_bytes(b"abc")
    packed = pack_value(file, tmp_path)
    assert isinstance(packed, File)
    assert (packed.path, packed.bytes, packed.sha256[:8]) == ("0/ä b.txt", 3, "ba7816bf")
    for value in (file, [file, file], {"a": [1, 2.5, None, True]}, [], "text"):
        assert unpack_value(pack_value(value, tmp_path), tmp_path) == value
    assert unpack_value(pack_value(("a", ("b",))), tmp_path) == ["a", ["b"]]
    with pytest.raises(ValidationError, match="JSON"):
        pack_value({"a": file})


def test_names_that_are_no_text_are_written_out() -> None:
    broken = os.fsdecode(b"a\xff.txt")
    assert pack_value({"added": [broken]}) == Data(value={"added": [r"a\udcff.txt"]})
    assert safe_name(broken) == "a_udcff.txt"


@pytest.mark.parametrize(
    "path", ["../a", "/etc/passwd", "0/../a", "a/b/c", "0/..", "", ".", "0/a\0"]
)
def test_no_path_leads_out_of_the_folder(path: str) -> None:
    with pytest.raises(ValidationError, match="leads out"):
        File(path=path, bytes=1, sha256=HASH)


@given(st.text())
def test_any_name_becomes_one_that_stays_in_its_folder(name: str) -> None:
    safe = safe_name(name)
    assert (Path("/folder") / safe).parent == Path("/folder")
    assert safe_name(safe) == safe
    assert len(safe.encode()) <= 255 * 4
    File(path=f"0/{safe}", bytes=0, sha256=HASH)


def test_only_regular_files_of_a_bounded_size_are_evidence(tmp_path: Path) -> None:
    huge, link, pipe = tmp_path / "huge", tmp_path / "link", tmp_path / "pipe"
    with huge.open("wb") as file:
        file.truncate(MAX_FILE + 1)
    link.symlink_to(huge)
    os.mkfifo(pipe)
    with pytest.raises(TooLarge):
        pack_value(huge)
    for path in (link, pipe, tmp_path, tmp_path / "none"):
        with pytest.raises(FileNotFoundError):
            pack_value(path)


def test_a_bundle_gives_the_evidence_and_its_files_again(tmp_path: Path) -> None:
    first, other = tmp_path / "one", tmp_path / "other"
    first.mkdir()
    other.mkdir()
    measured = evidence(first)
    assert unpack_evidence(pack_evidence(measured, first), other) == measured
    assert (other / "0/b.txt").read_text() == "two"


def test_a_bundle_that_was_changed_is_refused(tmp_path: Path) -> None:
    data = pack_evidence(evidence(tmp_path), tmp_path)
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"twO" if name == "0/b.txt" else old.read(name))
    with pytest.raises(BadBundle, match=r"b\.txt is not the file"):
        unpack_evidence(changed.getvalue(), tmp_path)
    with pytest.raises(BadBundle, match="cannot be read"):
        unpack_evidence(data[: len(data) // 2], tmp_path)


def test_files_that_are_too_large_to_keep_are_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "MAX_BYTES", 5)
    data = pack_evidence(evidence(tmp_path), tmp_path)
    with pytest.raises(BadBundle, match="was not kept: the files were over 5 bytes"):
        unpack_evidence(data, tmp_path)


def test_files_need_a_size_and_a_hash() -> None:
    with pytest.raises(ValidationError):
        File(path="a", bytes=MAX_FILE + 1, sha256=HASH)
    with pytest.raises(ValidationError):
        File(path="a", bytes=1, sha256="../../etc/passwd")
    with pytest.raises(ValidationError):
        Files(files=())
