"""OSWorld's metrics of single things in a presentation: size, pictures, marks, colours, effects."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from math import dist
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.util import Inches

from envs.osworld.outside.published.error_policy import broken_scores_0, get_rule
from envs.osworld.outside.published.safe_xml import parse_xml
from envs.osworld.outside.published.slide_styles import P, SlideStyles, plain_background

FULL = dist((0, 0, 0), (255, 255, 255))
STRUCK = frozenset({"sngStrike", "dblStrike"})
OFF_BY = Inches(0.5)

RGB = Sequence[int]


@broken_scores_0
def check_slide_orientation_Portrait(result: Path) -> float:
    """1 when slides are higher than wide."""
    presentation = _open_presentation(result)
    return float(presentation.slide_width < presentation.slide_height)


@broken_scores_0
def check_image_stretch_and_center(result: Path, expected: Path) -> float:
    """1 when the first picture of the original's first slide fills the page and stands in its
    middle, within half an inch."""
    original = _open_presentation(expected)
    pictures = _pictures(original)
    if not pictures:
        return 0.0
    content = pictures[0].image.blob
    copies = [
        picture
        for picture in _pictures(_open_presentation(result))
        if picture.image.blob == content
    ]
    return float(any(_fills(picture, original) for picture in copies))


def check_image_stretch_and_center_compat(result: Path, expected: Path) -> float:
    """Looks at the last copy only. Raises what python-pptx raises."""
    original, modified = _open_presentation(expected), _open_presentation(result)
    candidates, pictures = _pictures(modified), _pictures(original)
    if not pictures:
        return 0.0
    copies = [picture for picture in candidates if pictures[0].image.blob == picture.image.blob]
    return float(bool(copies) and _fills(copies[-1], original))


@broken_scores_0
def check_strikethrough(result: Path, expected: Mapping[str, Sequence[int]]) -> float:
    """1 when all text of the paragraphs that the rules number, from 0, is struck through."""
    runs = list(_read_paragraph_runs(result, expected))
    return float(
        all(run._r.rPr.get("strike") in STRUCK for paragraph_runs in runs for run in paragraph_runs)
    )


def check_strikethrough_compat(result: Path, expected: Mapping[str, Sequence[int]]) -> float:
    """Looks at first runs, and takes "not struck through" for struck through."""
    presentation = _open_presentation(result)
    try:
        runs = [run for run, *_ in _paragraph_runs(presentation, expected)]
    except (IndexError, AttributeError, ValueError):
        return 0.0
    return float(all("strike" in run.font._element.attrib for run in runs))


@broken_scores_0
def evaluate_presentation_fill_to_rgb_distance(result: Path, expected: Mapping[str, RGB]) -> float:
    """How near the backgrounds are to `rgb`: 1 for just it, 0 for its opposite, for what is no
    plain colour and for `original_rgb`; the mean of all slides."""
    slides = _open_presentation(result).slides
    colors = [SlideStyles(slide).background() for slide in slides]
    return 1 - sum(_distance(color, expected) for color in colors) / len(colors)


def evaluate_presentation_fill_to_rgb_distance_compat(
    result: Path, expected: Mapping[str, RGB]
) -> float:
    """Does not know colours of the theme, nor what a layout says. Raises ZeroDivisionError without
    slides."""
    colors = []
    for slide in _open_presentation(result).slides:
        try:
            colors.append(plain_background(slide))
        except AttributeError:
            colors.append(None)
    return 1 - sum(_distance(color, expected) for color in colors) / len(colors)


@broken_scores_0
def check_left_panel(result: str) -> float:
    """1 when the accessibility tree has the panel of slides."""
    frames = parse_xml(result.encode()).iter("document-frame")
    return float(any(frame.get("name") == "Slides View" for frame in frames))


@broken_scores_0
def check_transition(result: Path, expected: Mapping[str, Any]) -> float:
    """1 when slide `slide_idx`, from 0, comes in by `transition_type`."""
    index, kind = get_rule(expected, "slide_idx", int), get_rule(expected, "transition_type", str)
    return _comes_by(_open_presentation(result).slides[index]._element, kind)


def check_transition_compat(result: Path, expected: Mapping[str, Any]) -> float:
    """Numbers slides by the names of their files. Raises BadZipFile."""
    with zipfile.ZipFile(result) as archive:
        name = f"ppt/slides/slide{expected['slide_idx'] + 1}.xml"
        if name not in archive.namelist():
            return 0.0
        slide = parse_xml(archive.read(name))
    return _comes_by(slide, expected["transition_type"])


def _open_presentation(path: Path) -> Any:
    return Presentation(str(path))


def _pictures(presentation: Any) -> list[Any]:
    """Of the first slide."""
    from pptx.enum.shapes import MSO_SHAPE_TYPE

    shapes = presentation.slides[0].shapes
    return [shape for shape in shapes if shape.shape_type == MSO_SHAPE_TYPE.PICTURE]


def _fills(picture: Any, presentation: Any) -> bool:
    width, height = presentation.slide_width, presentation.slide_height
    return bool(
        abs(picture.width - width) <= OFF_BY
        and abs(picture.height - height) <= OFF_BY
        and abs(picture.left - (width - picture.width) / 2) <= OFF_BY
        and abs(picture.top - (height - picture.height) / 2) <= OFF_BY
    )


def _paragraph_runs(presentation: Any, rules: Mapping[str, Sequence[int]]) -> Iterator[Any]:
    """Runs of each paragraph that the rules number."""
    slides, shapes, paragraphs = (
        get_rule(rules, f"{name}_index_s", list) for name in ("slide", "shape", "paragraph")
    )
    for slide in slides:
        for shape in shapes:
            shape_paragraphs = presentation.slides[slide].shapes[shape].text_frame.paragraphs
            for paragraph in paragraphs:
                yield shape_paragraphs[paragraph].runs


def _read_paragraph_runs(path: Path, rules: Mapping[str, Sequence[int]]) -> Iterator[list[Any]]:
    """Only those with text, of which each paragraph must have one."""
    for runs in _paragraph_runs(_open_presentation(path), rules):
        written = [run for run in runs if run.text.strip()]
        if not written:
            raise ValueError("a paragraph without text")
        yield written


def _distance(color: RGB | None, rules: Mapping[str, RGB]) -> float:
    """Of 1."""
    original = rules.get("original_rgb")
    if color is None or (original is not None and tuple(color) == tuple(original)):
        return 1.0
    return dist(color, get_rule(rules, "rgb", list)) / FULL


def _comes_by(slide: Any, kind: str) -> float:
    """Of several, which are for programs of different age, the first counts."""
    transition = next(slide.iter(f"{P}transition"), None)
    return float(transition is not None and next(transition.iter(f"{P}{kind}"), None) is not None)
