"""JSON as VS Code writes and reads it: with comments, with commas before closing brackets."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from envs.osworld.outside.published.error_policy import Unreadable, read_text

STRING = r'"(?:[^"\\]|\\.)*"'
COMMENT = re.compile(rf"({STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
TRAILING_COMMA = re.compile(rf"({STRING})|,(?=\s*[\]}}])", re.DOTALL)


def parse_jsonc(text: str) -> Any:
    """Raises Unreadable."""
    for ignored in (COMMENT, TRAILING_COMMA):
        text = ignored.sub(lambda match: match.group(1) or " ", text)
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def read_jsonc(path: Path) -> Any:
    """Raises Unreadable."""
    return parse_jsonc(read_text(path))
