"""Equal contents are equal bytes, whenever they were packed."""

from __future__ import annotations

import io
import zipfile

from envs.osworld.format.makers.stable_zip import without_timestamps

CORE = "docProps/core.xml"


def archive(year: int, core: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr(zipfile.ZipInfo("a.txt", (year, 1, 1, 0, 0, 0)), "same")
        file.writestr(zipfile.ZipInfo(CORE, (year, 1, 1, 0, 0, 0)), core)
    return out.getvalue()


def test_times_of_members_and_of_the_document_do_not_matter() -> None:
    first = archive(2001, "<d>2001-02-03T04:05:06Z</d>")
    second = archive(2022, "<d>2022-02-03T04:05:06.789Z</d>")
    assert first != second
    assert without_timestamps(first) == without_timestamps(second)


def test_contents_and_their_order_stay() -> None:
    with zipfile.ZipFile(io.BytesIO(without_timestamps(archive(2001, "x")))) as file:
        assert [(name, file.read(name)) for name in file.namelist()] == [
            ("a.txt", b"same"), (CORE, b"x"),
        ]  # fmt: skip


def test_other_contents_are_other_bytes() -> None:
    assert without_timestamps(archive(2001, "x")) != without_timestamps(archive(2001, "y"))
