"""Getters of a slide's sound and of its background picture.

Guarantees: what the presentation contains becomes a file of the evaluator; what it only refers to
is the machine's file. A presentation that cannot be read has neither.
"""

from __future__ import annotations

import asyncio
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.inside.machine import Machine, local_path, require_regular_file

_AUDIO = "/audio"
"""How the type of a sound's relationship ends."""
_BLIP = "./p:cSld/p:bg/p:bgPr/a:blipFill/a:blip"
_RELATIONSHIPS = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


async def audio_in_slide(machine: Machine, ending: Ending, parameters: Parameters) -> Path:
    """The sound of the slide at `slide_index` (from 0). Raises FileNotFoundError."""
    return await asyncio.to_thread(_extract_file, machine, ending, parameters, _sound)


async def background_image_in_slide(
    machine: Machine, ending: Ending, parameters: Parameters
) -> Path:
    """The picture that fills the background of the slide at `slide_index` (from 0). Raises
    FileNotFoundError."""
    return await asyncio.to_thread(_extract_file, machine, ending, parameters, _background)


def _extract_file(
    machine: Machine, ending: Ending, parameters: Parameters, find_relationship: Any
) -> Path:
    file = require_regular_file(local_path(machine, parameters["ppt_file_path"]))
    slide = _slide(file, int(parameters["slide_index"]))
    relationship = find_relationship(slide)
    if relationship is None:
        raise FileNotFoundError(f"slide {parameters['slide_index']} of {file.name} carries none")
    if relationship.is_external:
        return require_regular_file(
            _referenced_file(machine, parameters["ppt_file_path"], relationship.target_ref)
        )
    part = relationship.target_part
    name = PurePosixPath(parameters["dest"]).stem + PurePosixPath(part.partname).suffix
    target = ending.make_path(name)
    target.write_bytes(part.blob)
    return target


def _slide(file: Path, index: int) -> Any:
    """The slide at this index of the show, whatever the name of its part."""
    from pptx import Presentation

    try:
        slides = list(Presentation(str(file)).slides)
    except MemoryError:
        raise
    except Exception as error:
        # Over a broken presentation the libraries raise whatever they stumble on.
        raise FileNotFoundError(f"{file.name} is not a presentation") from error
    if not 0 <= index < len(slides):
        raise FileNotFoundError(f"{file.name} has no slide {index}")
    return slides[index]


def _sound(slide: Any) -> Any:
    rels = slide.part.rels.values()
    return next((rel for rel in rels if rel.reltype.endswith(_AUDIO)), None)


def _background(slide: Any) -> Any:
    for blip in slide._element.xpath(_BLIP):
        for kind in ("embed", "link"):
            relationship = slide.part.rels.get(blip.get(f"{_RELATIONSHIPS}{kind}", ""))
            if relationship is not None:
                return relationship
    return None


def _referenced_file(machine: Machine, presentation: str, target: str) -> Path:
    """The machine's file that a presentation refers to, by address or relative to its own
    folder."""
    parts = urlsplit(target)
    if parts.scheme not in ("", "file"):
        raise FileNotFoundError(f"{target} is not a file of the machine")
    return local_path(machine, str(PurePosixPath(presentation).parent / unquote(parts.path)))
