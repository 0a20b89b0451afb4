"""OSWorld's metric of the text in a picture, read by the program `tesseract`.

OSWorld itself reads with EasyOCR; where the two programs read differently, so do the scores.
"""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from envs.osworld.outside.published.error_policy import BadRules, get_rule
from envs.osworld.outside.published.screen_dump import read_screen_dump

READ_S = 40.0
ENLARGED = 2
"""Letters of a terminal are smaller than those that the program reads best."""


def compare_image_text(result: Path, expected: Mapping[str, str]) -> float:
    """1 when the `text` is in what the picture says. What is no picture scores 0. Raises
    RuntimeError where tesseract is not installed."""
    if get_rule(expected, "type", str) != "text":
        raise BadRules(f"the rule's type is {expected['type']!r}, not 'text'")
    text = get_rule(expected, "text", str)
    content = result.read_bytes()
    try:
        image = (read_screen_dump(content) or Image.open(io.BytesIO(content))).convert("L")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return 0.0
    return float(text in _read(image))


def _read(image: Image.Image) -> str:
    """Words with single spaces between."""
    program = shutil.which("tesseract")
    if program is None:
        raise RuntimeError("compare_image_text needs the program tesseract")
    large = io.BytesIO()
    image.resize((image.width * ENLARGED, image.height * ENLARGED)).save(large, "PNG")
    ran = subprocess.run(
        [program, "stdin", "stdout", "-l", "eng"],
        input=large.getvalue(),
        capture_output=True,
        timeout=READ_S,
        check=True,
    )
    return " ".join(ran.stdout.decode(errors="replace").split())
