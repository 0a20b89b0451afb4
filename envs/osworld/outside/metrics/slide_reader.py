"""What a .pptx file shows: slide by slide, shape by shape.

Guarantees: whatever the audience or the speaker would notice (texts, formats, places, colours,
notes, backgrounds, order, what is hidden or moves) is in what `read_presentation` gives; empty
placeholders, which are not shown, and names that programs make up are not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import IO, Any

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
EMU_PER_CM = 360_000.0
_KINDS = {"ctrTitle": "title", "subTitle": "subtitle", "obj": "body", None: "body"}
_MARGIN = {"dt": "date", "ftr": "footer", "sldNum": "number"}
_ALIGN = {"l": "left", "ctr": "center", "r": "right", "just": "justify"}


def read_presentation(file: str | IO[bytes]) -> dict[str, Any]:
    """size (cm) and slides. Raises what python-pptx raises for a file that is no presentation."""
    from pptx import Presentation

    presentation: Any = Presentation(file)
    return {
        "size": [presentation.slide_width / EMU_PER_CM, presentation.slide_height / EMU_PER_CM],
        "slides": [_slide(slide) for slide in presentation.slides],
    }


def _slide(slide: Any) -> dict[str, Any]:
    shapes = [shape for child in slide.shapes if (shape := _shape(child, slide.part)) is not None]
    margins = [shape for shape in shapes if shape["kind"] in _MARGIN.values()]
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    return {
        "shapes": [shape for shape in shapes if shape not in margins],
        "margins": {shape["kind"]: _plain(shape) for shape in margins},
        "notes": notes.text.strip() if notes is not None else "",
        "background": _background(slide),
        "hidden": slide._element.get("show") in ("0", "false"),
        "transition": _transition(slide._element),
        "animations": sum(1 for _ in slide._element.iter(f"{P}animEffect", f"{P}anim", f"{P}set")),
    }


def _shape(shape: Any, part: Any) -> dict[str, Any] | None:
    """None for an empty placeholder."""
    element = shape._element
    holder = next(element.iter(f"{P}ph"), None) if shape.shape_type != 6 else None
    at = [
        None if v is None else v / EMU_PER_CM
        for v in (shape.left, shape.top, shape.width, shape.height)
    ]
    if shape.has_chart:
        return {"kind": "chart", "at": at, "title": _chart_title(shape.chart)}
    if shape.has_table:
        rows = [
            [_paragraphs(cell._tc.find(f"{A}txBody"), part) for cell in row.cells]
            for row in shape.table.rows
        ]
        return {"kind": "table", "at": [*at[:3], None], "rows": rows}
    if shape.shape_type == 6:
        inner = [
            inner_shape for item in shape.shapes if (inner_shape := _shape(item, part)) is not None
        ]
        return {"kind": "group", "at": at, "shapes": inner}
    pictured = next(element.iter(f"{A}blip"), None)
    properties = element.find(f"{P}spPr")
    if element.tag == f"{P}pic" and pictured is not None:
        return {"kind": "picture", "at": at, "picture": _blob(pictured, part)}
    paragraphs = _paragraphs(element.find(f"{P}txBody"), part)
    fill, line = _paint(properties), _paint(_child(properties, "ln"))
    if holder is not None:
        if not any(item["runs"] for item in paragraphs):
            return None
        kind = _holder_kind(holder)
    else:
        preset = _child(properties, "prstGeom")
        kind = preset.get("prst") if preset is not None else "drawing"
        if kind == "rect" and fill is None and line is None:
            kind = "text"
    body = _child(element.find(f"{P}txBody"), "bodyPr")
    return {
        "kind": kind,
        "at": at,
        "fill": fill,
        "line": line,
        "turned": float(shape.rotation) if hasattr(shape, "rotation") else 0.0,
        "anchor": (body.get("anchor") or "t") if body is not None and paragraphs else "t",
        "text": paragraphs,
    }


def _holder_kind(holder: Any) -> str:
    kind = holder.get("type")
    return str(_MARGIN.get(kind) or _KINDS.get(kind, kind))


def _plain(shape: dict[str, Any]) -> str:
    if shape["kind"] == "number":
        return "shown"
    return "\n".join(
        "".join(run["text"] for run in paragraph["runs"]) for paragraph in shape["text"]
    )


def _paragraphs(body: Any, part: Any) -> list[dict[str, Any]]:
    """Empty if there is no text at all."""
    if body is None:
        return []
    paragraphs = [_paragraph(element, part) for element in body.findall(f"{A}p")]
    return paragraphs if any(element["runs"] for element in paragraphs) else []


def _paragraph(element: Any, part: Any) -> dict[str, Any]:
    properties = element.find(f"{A}pPr")
    own_properties = properties if properties is not None else element.makeelement(f"{A}pPr", {})
    runs: list[dict[str, Any]] = []
    for text, formatting in _pieces(element, part):
        if runs and runs[-1]["formatting"] == formatting:
            runs[-1]["text"] += text
        elif text:
            runs.append({"text": text, "formatting": formatting})
    return {
        "align": _ALIGN.get(own_properties.get("algn", "l"), own_properties.get("algn")),
        "level": int(own_properties.get("lvl", "0")),
        "marker": _marker(own_properties) if runs else None,
        "line": _spacing(own_properties, "lnSpc", 1.0),
        "before": _spacing(own_properties, "spcBef", 0.0),
        "after": _spacing(own_properties, "spcAft", 0.0),
        "runs": runs,
    }


def _pieces(element: Any, part: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for child in element:
        if child.tag in (f"{A}r", f"{A}fld"):
            text = child.find(f"{A}t")
            yield (text.text or "") if text is not None else "", _formatting(child, part)
        elif child.tag == f"{A}br":
            yield "\n", _formatting(child, part)


def _formatting(run: Any, part: Any) -> dict[str, Any]:
    """Only what is not plain, but font and size always."""
    properties = run.find(f"{A}rPr")
    if properties is None:
        return {}
    font, link = properties.find(f"{A}latin"), properties.find(f"{A}hlinkClick")
    baseline = int((properties.get("baseline") or "0").rstrip("%"))
    strike, color = properties.get("strike", "noStrike"), _paint(properties)
    formatting = {
        "bold": properties.get("b") in ("1", "true"),
        "italic": properties.get("i") in ("1", "true"),
        "underline": properties.get("u", "none") != "none",
        "strike": strike != "noStrike",
        "size": int(properties.get("sz")) / 100 if properties.get("sz") else None,
        "font": font.get("typeface") if font is not None else None,
        "color": None if color == "000000" else color,
        "highlight": _paint(properties.find(f"{A}highlight")),
        "script": (baseline > 0) - (baseline < 0) or None,
        "link": part.rels[link.get(f"{R}id")].target_ref if _has_target(link) else None,
    }
    return {name: value for name, value in formatting.items() if value not in (None, False)}


def _has_target(link: Any) -> bool:
    return link is not None and bool(link.get(f"{R}id"))


def _marker(properties: Any) -> str | None:
    if properties.find(f"{A}buAutoNum") is not None:
        return "number"
    return "bullet" if properties.find(f"{A}buChar") is not None else None


def _spacing(properties: Any, tag: str, plain: float) -> float:
    """Lines for a percentage, points otherwise."""
    element = properties.find(f"{A}{tag}")
    if element is None or not len(element):
        return plain
    value = float(str(element[0].get("val")).rstrip("%"))
    return value / 100_000 if element[0].tag == f"{A}spcPct" else value / 100


def _paint(owner: Any) -> str | None:
    """The colour of an area, line or letters; "other" for what is no plain colour."""
    if owner is None:
        return None
    if owner.tag == f"{A}highlight":
        solid = owner
    else:
        if any(owner.find(f"{A}{tag}") is not None for tag in ("gradFill", "blipFill", "pattFill")):
            return "other"
        solid = owner.find(f"{A}solidFill")
    if solid is None or not len(solid):
        return None
    return str(solid[0].get("val")).upper()


def _background(slide: Any) -> str | None:
    properties = next(slide._element.iter(f"{P}bgPr"), None)
    if properties is None:
        return None
    pictured = next(properties.iter(f"{A}blip"), None)
    if pictured is not None:
        return _blob(pictured, slide.part)
    color = _paint(properties)
    return None if color == "FFFFFF" else color


def _blob(blip: Any, part: Any) -> str:
    content = part.related_part(blip.get(f"{R}embed")).blob
    return hashlib.sha256(content).hexdigest()[:16]


def _transition(slide: Any) -> str | None:
    element = next(slide.iter(f"{P}transition"), None)
    if element is None or not len(element):
        return None
    return str(element[0].tag.rpartition("}")[2])


def _chart_title(chart: Any) -> str | None:
    return chart.chart_title.text_frame.text if chart.has_title else None


def _child(owner: Any, tag: str) -> Any:
    return owner.find(f"{A}{tag}") if owner is not None else None
