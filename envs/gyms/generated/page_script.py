"""The script of the family `material`, which all of its pages load from one address and keep.

scripts/bundle_material.sh builds it of the folder material/. Its first line holds the hash of these
sources, so that a test can tell whether it was built of them.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

SOURCES = Path(__file__).parent / "material"
_BUNDLE = (Path(__file__).parent / "material.js").read_bytes()
NAME = f"material-{hashlib.sha256(_BUNDLE).hexdigest()[:16]}.js"
ADDRESS = f"/_scripts/{NAME}"


def find_script(name: str) -> bytes | None:
    """The script of this name; None for any other, such as that of another version."""
    return _BUNDLE if name == NAME else None


def hash_sources() -> str:
    """Of all that the script is built of."""
    digest = hashlib.sha256()
    for file in sorted(SOURCES.iterdir()):
        if file.is_file():
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def get_hash_of_build() -> str:
    """The hash of the sources that the script was built of."""
    first_line = _BUNDLE.partition(b"\n")[0].decode()
    return first_line.removeprefix("// sources ").partition(",")[0]
