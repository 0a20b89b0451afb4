"""Evidence as one zip file, to be kept with the episode: `evidence.json` and its files.

Guarantees: bounded in size; what is unpacked lies below the folder that was given, and is what was
packed, byte for byte.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from envs.state.evidence import Evidence, File, Files

ABOUT = "evidence.json"
MAX_BYTES = 32 * 1024 * 1024
"""Of the files that are kept."""
LEVEL = 1
"""Most files are compressed already."""


class BadBundle(Exception):
    """Evidence that a verdict cannot be made from; the message says why."""


def pack_evidence(evidence: Evidence, folder: Path) -> bytes:
    """Without its files when they are more than MAX_BYTES."""
    buffer = io.BytesIO()
    files = {file.path: file for file in files_of(evidence)}
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        archive.writestr(ABOUT, evidence.model_dump_json())
        if sum(file.bytes for file in files.values()) <= MAX_BYTES:
            for path in files:
                archive.write(folder / path, path)
    return buffer.getvalue()


def unpack_evidence(data: bytes, folder: Path) -> Evidence:
    """The evidence, its files put into the folder. Raises BadBundle."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            evidence = Evidence.model_validate_json(archive.read(ABOUT))
            for file in files_of(evidence):
                _unpack(archive, file, folder)
    except (zipfile.BadZipFile, ValidationError, KeyError, OSError) as error:
        raise BadBundle(f"the evidence cannot be read: {error}"[:500]) from error
    return evidence


def files_of(evidence: Evidence) -> Iterator[File]:
    """Every file that the evidence names."""
    for measure in (*evidence.measures, *evidence.milestones.values()):
        for value in (measure.result, measure.expected):
            if isinstance(value, File):
                yield value
            elif isinstance(value, Files):
                yield from value.files


def _unpack(archive: zipfile.ZipFile, file: File, folder: Path) -> None:
    if file.path not in archive.namelist():
        raise BadBundle(f"{file.path} was not kept: the files were over {MAX_BYTES} bytes")
    with archive.open(file.path) as member:
        content = member.read(file.bytes + 1)
    if hashlib.sha256(content).hexdigest() != file.sha256:
        raise BadBundle(f"{file.path} is not the file that was judged")
    place = folder / file.path
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(content)
