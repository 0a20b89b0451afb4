"""Makes presentations; `envs.osworld.inside.steps.presentations` documents the description."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from envs.osworld.format.makers.stable_zip import without_timestamps

FONT = "Arial"
INK = "000000"
MARKS = ("bold", "italic", "underline", "strike", "color", "size", "font")
TITLE_AT, BODY_AT = (1.5, 1.0, 22.4, 3.0), (1.5, 4.6, 22.4, 12.0)
SUBTITLE_AT = (3.0, 9.0, 19.4, 3.0)
SIZES = {"title": 36, "subtitle": 24, "body": 24, "text": 18, "table": 16}
_LAYOUTS = {"subtitle": 0, "body": 1, "title": 5, "blank": 6}
_ALIGN = {"left": "l", "center": "ctr", "right": "r", "justify": "just"}


def presentation_bytes(content: Mapping[str, Any]) -> bytes:
    """A .pptx file of this content."""
    from pptx import Presentation

    presentation: Any = Presentation()
    for slide in content["slides"]:
        _add_slide(presentation, slide)
    out = io.BytesIO()
    presentation.save(out)
    return without_timestamps(out.getvalue())


def _add_slide(presentation: Any, settings: Mapping[str, Any]) -> None:
    kind = next((name for name in ("subtitle", "body", "title") if name in settings), "blank")
    slide = presentation.slides.add_slide(presentation.slide_layouts[_LAYOUTS[kind]])
    if "title" in settings:
        _put(slide.shapes.title, TITLE_AT)
        _write(slide.shapes.title, [settings["title"]], "title")
    if kind in ("subtitle", "body"):
        _put(slide.placeholders[1], SUBTITLE_AT if kind == "subtitle" else BODY_AT)
        content = settings[kind]
        _write(slide.placeholders[1], [content] if kind == "subtitle" else content, kind)
    for shape in settings.get("shapes", ()):
        _add_table(slide, shape) if "table" in shape else _add_shape(slide, shape)
    if "notes" in settings:
        slide.notes_slide.notes_text_frame.text = settings["notes"]
    if "background" in settings:
        slide.background.fill.solid()
        slide.background.fill.fore_color.rgb = _color(settings["background"])
    if settings.get("hidden"):
        slide._element.set("show", "0")


def _add_shape(slide: Any, settings: Mapping[str, Any]) -> None:
    from pptx.enum.shapes import MSO_SHAPE

    kind = settings["kind"]
    if kind == "text":
        shape = slide.shapes.add_textbox(0, 0, 0, 0)
    else:
        shape = slide.shapes.add_shape(MSO_SHAPE.from_xml(kind), 0, 0, 0, 0)
        style = shape._element.find("{*}style")
        shape._element.remove(style)
    _put(shape, settings["at"])
    for part, paint in (
        (shape.fill, settings.get("fill")),
        (shape.line.fill, settings.get("line")),
    ):
        if paint is None:
            part.background()
        else:
            part.solid()
            part.fore_color.rgb = _color(paint)
    _write(shape, settings.get("paragraphs", [settings.get("text", "")]), "text")


def _add_table(slide: Any, settings: Mapping[str, Any]) -> None:
    rows = settings["table"]
    frame = slide.shapes.add_table(len(rows), len(rows[0]), 0, 0, 0, 0)
    _put(frame, settings["at"])
    for column in frame.table.columns:
        column.width = frame.width // len(rows[0])
    for row in frame.table.rows:
        row.height = frame.height // len(rows)
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            _fill_paragraph(frame.table.cell(y, x).text_frame.paragraphs[0], cell, "table")


def _put(shape: Any, at: Sequence[float]) -> None:
    from pptx.util import Cm

    shape.left, shape.top, shape.width, shape.height = (Cm(length) for length in at)


def _write(shape: Any, paragraphs: Sequence[Any], kind: str) -> None:
    """Text with all formatting in its own runs: what comes from a master is lost when another
    program saves the file."""
    from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE

    frame = shape.text_frame
    frame.auto_size = MSO_AUTO_SIZE.NONE
    frame.word_wrap = True
    frame.vertical_anchor = MSO_ANCHOR.MIDDLE if kind == "title" else MSO_ANCHOR.TOP
    for index, block in enumerate(paragraphs):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        _fill_paragraph(paragraph, block, kind)


def _fill_paragraph(paragraph: Any, block: str | Mapping[str, Any], kind: str) -> None:
    from pptx.oxml.ns import qn
    from pptx.util import Pt

    settings: Mapping[str, Any] = {"text": block} if isinstance(block, str) else block
    paragraph.level = settings.get("level", 0)
    paragraph.space_before = paragraph.space_after = Pt(0)
    properties = paragraph._p.get_or_add_pPr()
    default = "center" if kind in ("title", "subtitle") else "left"
    properties.set("algn", _ALIGN[settings.get("align", default)])
    if kind == "body":
        properties.append(properties.makeelement(qn("a:buChar"), {"char": "•"}))
    else:
        properties.append(properties.makeelement(qn("a:buNone"), {}))
    marks = {mark: settings[mark] for mark in MARKS if mark in settings}
    for run in settings.get("runs", [settings.get("text", "")]):
        run_settings = marks | ({"text": run} if isinstance(run, str) else dict(run))
        if run_settings["text"]:
            _fill_run(paragraph.add_run(), run_settings, SIZES[kind])


def _fill_run(run: Any, settings: Mapping[str, Any], size: float) -> None:
    from pptx.util import Pt

    run.text = settings["text"]
    font = run.font
    font.size = Pt(settings.get("size", size))
    font.name = settings.get("font", FONT)
    font.bold = settings.get("bold", False)
    font.italic = settings.get("italic", False)
    font.underline = settings.get("underline", False)
    font.color.rgb = _color(settings.get("color", INK))
    if settings.get("strike"):
        run._r.get_or_add_rPr().set("strike", "sngStrike")


def _color(code: str) -> Any:
    from pptx.dml.color import RGBColor

    made: Any = RGBColor
    return made(*bytes.fromhex(code))
