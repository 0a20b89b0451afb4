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

    found: Any = Presentation(file)
    return {
        "size": [found.slide_width / EMU_PER_CM, found.slide_height / EMU_PER_CM],
        "slides": [_slide(slide) for slide in found.slides],
    }


def _slide(slide: Any) -> dict[str, Any]:
    shapes = [shape for one in slide.shapes if (shape := _shape(one, slide.part)) is not None]
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
    at = [None if v is None else v / EMU_PER_CM
          for v in (shape.left, shape.top, shape.width, shape.height)]  # fmt: skip
    if shape.has_chart:
        return {"kind": "chart", "at": at, "title": _chart_title(shape.chart)}
    if shape.has_table:
        rows = [
            [_paragraphs(cell._tc.find(f"{A}txBody"), part) for cell in row.cells]
            for row in shape.table.rows
        ]
        return {"kind": "table", "at": [*at[:3], None], "rows": rows}
    if shape.shape_type == 6:
        inner = [found for one in shape.shapes if (found := _shape(one, part)) is not None]
        return {"kind": "group", "at": at, "shapes": inner}
    pictured = next(element.iter(f"{A}blip"), None)
    properties = element.find(f"{P}spPr")
    if element.tag == f"{P}pic" and pictured is not None:
        return {"kind": "picture", "at": at, "picture": _blob(pictured, part)}
    paragraphs = _paragraphs(element.find(f"{P}txBody"), part)
    fill, line = _paint(properties), _paint(_child(properties, "ln"))
    if holder is not None:
        if not any(one["runs"] for one in paragraphs):
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
    return "\n".join("".join(run["text"] for run in one["runs"]) for one in shape["text"])


def _paragraphs(body: Any, part: Any) -> list[dict[str, Any]]:
    """Empty if there is no text at all."""
    if body is None:
        return []
    found = [_paragraph(one, part) for one in body.findall(f"{A}p")]
    return found if any(one["runs"] for one in found) else []


def _paragraph(element: Any, part: Any) -> dict[str, Any]:
    properties = element.find(f"{A}pPr")
    given = properties if properties is not None else element.makeelement(f"{A}pPr", {})
    runs: list[dict[str, Any]] = []
    for text, looks in _pieces(element, part):
        if runs and runs[-1]["looks"] == looks:
            runs[-1]["text"] += text
        elif text:
            runs.append({"text": text, "looks": looks})
    return {
        "align": _ALIGN.get(given.get("algn", "l"), given.get("algn")),
        "level": int(given.get("lvl", "0")),
        "marker": _marker(given) if runs else None,
        "line": _spacing(given, "lnSpc", 1.0),
        "before": _spacing(given, "spcBef", 0.0),
        "after": _spacing(given, "spcAft", 0.0),
        "runs": runs,
    }


def _pieces(element: Any, part: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for child in element:
        if child.tag in (f"{A}r", f"{A}fld"):
            text = child.find(f"{A}t")
            yield (text.text or "") if text is not None else "", _looks(child, part)
        elif child.tag == f"{A}br":
            yield "\n", _looks(child, part)


def _looks(run: Any, part: Any) -> dict[str, Any]:
    """Only what is not plain, but font and size always."""
    given = run.find(f"{A}rPr")
    if given is None:
        return {}
    font, link = given.find(f"{A}latin"), given.find(f"{A}hlinkClick")
    baseline = int((given.get("baseline") or "0").rstrip("%"))
    strike, color = given.get("strike", "noStrike"), _paint(given)
    looks = {
        "bold": given.get("b") in ("1", "true"),
        "italic": given.get("i") in ("1", "true"),
        "underline": given.get("u", "none") != "none",
        "strike": strike != "noStrike",
        "size": int(given.get("sz")) / 100 if given.get("sz") else None,
        "font": font.get("typeface") if font is not None else None,
        "color": None if color == "000000" else color,
        "highlight": _paint(given.find(f"{A}highlight")),
        "script": (baseline > 0) - (baseline < 0) or None,
        "link": part.rels[link.get(f"{R}id")].target_ref if _linked(link) else None,
    }
    return {name: value for name, value in looks.items() if value not in (None, False)}


def _linked(link: Any) -> bool:
    return link is not None and bool(link.get(f"{R}id"))


def _marker(properties: Any) -> str | None:
    if properties.find(f"{A}buAutoNum") is not None:
        return "number"
    return "bullet" if properties.find(f"{A}buChar") is not None else None


def _spacing(properties: Any, tag: str, plain: float) -> float:
    """Lines for a percentage, points otherwise."""
    found = properties.find(f"{A}{tag}")
    if found is None or not len(found):
        return plain
    value = float(str(found[0].get("val")).rstrip("%"))
    return value / 100_000 if found[0].tag == f"{A}spcPct" else value / 100


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
    found = next(slide.iter(f"{P}transition"), None)
    if found is None or not len(found):
        return None
    return str(found[0].tag.rpartition("}")[2])


def _chart_title(chart: Any) -> str | None:
    return chart.chart_title.text_frame.text if chart.has_title else None


def _child(owner: Any, tag: str) -> Any:
    return owner.find(f"{A}{tag}") if owner is not None else None
