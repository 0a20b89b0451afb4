"""OSWorld's metric of what a sound file says about itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mutagen import MutagenError
from mutagen.easyid3 import EasyID3

from envs.osworld.outside.published.value_rules import fulfils

NOT_THERE = ""


def check_mp3_meta(result: Path, expected: Mapping[str, Mapping[str, Any]]) -> float:
    """1 when each ID3 tag follows its rule; several values of one tag are joined by commas, a tag
    that is not there is empty. A file without tags has all of them empty."""
    tags: Any
    try:
        tags = EasyID3(str(result))
    except MutagenError:
        tags = {}
    return float(all(fulfils(_tag(tags, name), rule) for name, rule in expected.items()))


def _tag(tags: Any, name: str) -> str:
    value = tags.get(name, NOT_THERE)
    return ",".join(value) if isinstance(value, list) else str(value)
