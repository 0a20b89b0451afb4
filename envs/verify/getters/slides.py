"""Getters of what a slide carries: its sound, the picture behind it.

Guarantees: what the presentation holds becomes a file of the evaluator's; what it only names is the
machine's file. A presentation that cannot be read has neither.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from envs.verify.getters import scratch
from envs.verify.machine import Machine, located, regular
from envs.verify.registry import Ending, getter

_AUDIO = "/audio"
"""How the type of a sound's relationship ends."""
_BLIP = "./p:cSld/p:bg/p:bgPr/a:blipFill/a:blip"
_RELATIONSHIPS = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


@getter("audio_in_slide")
async def audio_in_slide(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Path:
    """The sound of the slide at `slide_index` (from 0). Raises FileNotFoundError."""
    return await asyncio.to_thread(_carried, machine, ending, given, _sound)


@getter("background_image_in_slide")
async def background_image_in_slide(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> Path:
    """The picture that fills the background of the slide at `slide_index` (from 0). Raises
    FileNotFoundError."""
    return await asyncio.to_thread(_carried, machine, ending, given, _background)


def _carried(machine: Machine, ending: Ending, given: Mapping[str, Any], of: Any) -> Path:
    file = regular(located(machine, given["ppt_file_path"]))
    slide = _slide(file, int(given["slide_index"]))
    relationship = of(slide)
    if relationship is None:
        raise FileNotFoundError(f"slide {given['slide_index']} of {file.name} carries none")
    if relationship.is_external:
        return regular(_named(machine, given["ppt_file_path"], relationship.target_ref))
    part = relationship.target_part
    name = PurePosixPath(given["dest"]).stem + PurePosixPath(part.partname).suffix
    place = scratch.place(ending, name)
    place.write_bytes(part.blob)
    return place


def _slide(file: Path, index: int) -> Any:
    """The slide that is shown at this place, whatever its part is called."""
    from pptx import Presentation

    try:
        slides = list(Presentation(str(file)).slides)
    except MemoryError:
        raise
    except Exception as error:
        # Over a broken presentation the libraries raise whatever they stumble on.
        raise FileNotFoundError(f"{file.name} is no presentation") from error
    if not 0 <= index < len(slides):
        raise FileNotFoundError(f"{file.name} has no slide {index}")
    return slides[index]


def _sound(slide: Any) -> Any:
    rels = slide.part.rels.values()
    return next((one for one in rels if one.reltype.endswith(_AUDIO)), None)


def _background(slide: Any) -> Any:
    for blip in slide._element.xpath(_BLIP):
        for kind in ("embed", "link"):
            relationship = slide.part.rels.get(blip.get(f"{_RELATIONSHIPS}{kind}", ""))
            if relationship is not None:
                return relationship
    return None


def _named(machine: Machine, presentation: str, target: str) -> Path:
    """The machine's file that a presentation names by its address, or from its own folder."""
    parts = urlsplit(target)
    if parts.scheme not in ("", "file"):
        raise FileNotFoundError(f"{target} is no file of the machine")
    return located(machine, str(PurePosixPath(presentation).parent / unquote(parts.path)))
