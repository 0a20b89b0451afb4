"""Zip archives without timestamps, so that equal contents are equal bytes."""

from __future__ import annotations

import io
import re
import zipfile

_EPOCH = (1980, 1, 1, 0, 0, 0)


def without_timestamps(archive: bytes) -> bytes:
    """The same zip archive without the times at which its members were made, and without the dates
    that office formats keep in docProps/core.xml."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "docProps/core.xml":
                content = _without_dates(content)
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, content)
    return out.getvalue()


def _without_dates(core: bytes) -> bytes:

    return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?", b"2024-01-01T00:00:00Z", core)
