"""What a .docx file means: its text with the formats that hold there, wherever they come from.

Guarantees: two files that look alike read alike, whichever program wrote them; whatever a reader of
the document would notice (text, formats, lists, pages, headers, pictures, links, comments, tracked
changes) is in what `read_document` gives.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
TWIPS_PER_CM, TWIPS_PER_PT, EMU_PER_CM = 567.0, 20.0, 360_000.0
_OFF = {"0", "false", "off", "none"}
_TOGGLES = {
    "b": "bold", "i": "italic", "strike": "strike", "dstrike": "strike", "caps": "caps",
    "smallCaps": "small caps", "vanish": "hidden", "outline": "outline", "shadow": "shadow",
}  # fmt: skip
_NAMED = {
    "yellow": "FFFF00", "green": "00FF00", "cyan": "00FFFF", "magenta": "FF00FF", "red": "FF0000",
    "blue": "0000FF", "darkYellow": "808000", "darkGreen": "008000", "darkCyan": "008080",
    "darkMagenta": "800080", "darkRed": "800000", "darkBlue": "000080", "lightGray": "C0C0C0",
    "darkGray": "808080", "black": "000000", "white": "FFFFFF",
}  # fmt: skip
_ALIGN = {"start": "left", "end": "right", "both": "justify"}
_FIELDS = {"PAGE": "{page}", "NUMPAGES": "{pages}"}
_TRACKED = ("ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange")
_PAGE_BREAK = "\f"


def read_document(path: Path | Any) -> dict[str, Any]:
    """body, sections, comments, tracked. Raises what python-docx raises for a file that is no
    document."""
    from docx import Document

    document = Document(path)
    reader = _Reader(document)
    body = document.element.body
    return {
        "body": reader.blocks(body),
        "sections": [reader.section(one) for one in body.iter(f"{W}sectPr")],
        "comments": [comment.text for comment in document.comments],
        "tracked": sum(1 for tag in _TRACKED for _ in body.iter(f"{W}{tag}")),
    }


class _Reader:
    def __init__(self, document: Any) -> None:
        self._part = document.part
        root = document.styles.element
        self._styles = {found.get(f"{W}styleId"): found for found in root.iter(f"{W}style")}
        defaults = root.find(f"{W}docDefaults")
        self._defaults = {
            kind: defaults.find(f"{W}{kind}Default/{W}{kind}") if defaults is not None else None
            for kind in ("rPr", "pPr")
        }
        self._normal = next(
            (key for key, one in self._styles.items()
             if one.get(f"{W}type") == "paragraph" and one.get(f"{W}default") == "1"), None,
        )  # fmt: skip
        numbered = any("numbering" in r.reltype for r in self._part.rels.values())
        self._numbering = self._part.numbering_part.element if numbered else None

    def blocks(self, parent: Any, part: Any = None) -> list[Any]:
        """An empty paragraph right after a table, which every program adds as it likes, is left
        out."""
        found: list[Any] = []
        for child in parent:
            if child.tag == f"{W}sdt":
                content = child.find(f"{W}sdtContent")
                found += self.blocks(content, part) if content is not None else []
            elif child.tag == f"{W}tbl":
                found.append({"table": [self._row(row, part) for row in child.iter(f"{W}tr")]})
            elif child.tag == f"{W}p":
                paragraph = self._paragraph(child, part or self._part)
                if found and _ends_page(found[-1]):
                    paragraph["break"] = True
                after_table = bool(found) and "table" in found[-1]
                if paragraph["runs"] or paragraph["break"] or not after_table:
                    found.append(paragraph)
        return found

    def section(self, properties: Any) -> dict[str, Any]:
        size, margins = properties.find(f"{W}pgSz"), properties.find(f"{W}pgMar")
        columns = properties.find(f"{W}cols")
        lengths = {
            "width": size.get(f"{W}w"), "height": size.get(f"{W}h"),
            **{side: margins.get(f"{W}{side}") for side in ("top", "bottom", "left", "right")},
        }  # fmt: skip
        return {
            **{name: int(value) / TWIPS_PER_CM for name, value in lengths.items()},
            "columns": int(columns.get(f"{W}num", "1")) if columns is not None else 1,
            "header": self._margin(properties, "header"),
            "footer": self._margin(properties, "footer"),
        }

    def _margin(self, properties: Any, kind: str) -> list[Any]:
        """Paragraphs with text of a header or footer, of every kind of page."""
        found: list[Any] = []
        for reference in properties.iter(f"{W}{kind}Reference"):
            part = self._part.related_parts[reference.get(f"{R}id")]
            blocks = self.blocks(part.element, part)
            found += [block for block in blocks if "table" in block or block["runs"]]
        return [
            {"align": block["align"], "runs": block["runs"]} if "runs" in block else block
            for block in found
        ]

    def _row(self, row: Any, part: Any) -> list[list[Any]]:
        """Each cell as its paragraphs: their runs and alignment."""
        return [
            [
                {"align": block["align"], "runs": block["runs"]}
                for block in self.blocks(cell, part)
                if "runs" in block
            ]
            for cell in row.iter(f"{W}tc")
        ]

    def _paragraph(self, element: Any, part: Any) -> dict[str, Any]:
        own = element.find(f"{W}pPr")
        style = self._style_of(own, "pStyle") or self._normal
        chain = [own, *self._chain(style, "pPr"), self._defaults["pPr"]]
        runs = self._runs(element, style, part)
        breaks = self._toggled(_first(chain, "pageBreakBefore"))
        if runs and runs[0]["text"].startswith(_PAGE_BREAK):
            breaks = True
            runs[0]["text"] = runs[0]["text"][1:]
            runs = [run for run in runs if run["text"]]
        kind = self._list_kind(chain)
        return {
            "style": self._name(style),
            "align": _align(_first(chain, "jc")),
            "list": kind,
            "break": breaks,
            **self._spaces(chain, own if kind else None),
            "runs": runs,
        }

    def _spaces(self, chain: list[Any], listed: Any) -> dict[str, Any]:
        """Points and centimetres. An item's indents are its list's affair."""

        def space(key: str, otherwise: str = "0") -> str:
            return _attribute(chain, "spacing", key) or otherwise

        rule = space("lineRule", "auto")
        line = int(space("line", "240"))
        spaces: dict[str, Any] = {
            "line": [rule, line / (240.0 if rule == "auto" else TWIPS_PER_PT)],
            "before": int(space("before")) / TWIPS_PER_PT,
            "after": int(space("after")) / TWIPS_PER_PT,
        }
        if listed is None and _first(chain, "numPr") is None:
            for name, keys in (("left", ("left", "start")), ("right", ("right", "end"))):
                value = next((v for k in keys if (v := _attribute(chain, "ind", k))), "0")
                spaces[f"indent {name}"] = int(value) / TWIPS_PER_CM
            first = int(_attribute(chain, "ind", "firstLine") or "0")
            hanging = int(_attribute(chain, "ind", "hanging") or "0")
            spaces["indent first"] = (first - hanging) / TWIPS_PER_CM
        return spaces

    def _list_kind(self, chain: list[Any]) -> list[Any] | None:
        """[kind, level] of an item."""
        numbering = _first(chain, "numPr")
        if numbering is None or self._numbering is None:
            return None
        number, level = (_value(numbering.find(f"{W}{tag}")) for tag in ("numId", "ilvl"))
        for found in self._numbering.iter(f"{W}num"):
            if found.get(f"{W}numId") == number:
                abstract = _value(found.find(f"{W}abstractNumId"))
                return self._level(abstract, level or "0")
        return None

    def _level(self, abstract: str | None, level: str) -> list[Any] | None:
        for found in self._numbering.iter(f"{W}abstractNum"):
            if found.get(f"{W}abstractNumId") == abstract:
                for one in found.iter(f"{W}lvl"):
                    if one.get(f"{W}ilvl") == level:
                        form = _value(one.find(f"{W}numFmt"))
                        return None if form == "none" else [form, int(level)]
        return None

    def _runs(self, paragraph: Any, style: str | None, part: Any) -> list[dict[str, Any]]:
        merged: list[dict[str, Any]] = []
        for text, looks in self._pieces(paragraph, style, part):
            if merged and merged[-1]["looks"] == looks:
                merged[-1]["text"] += text
            elif text:
                merged.append({"text": text, "looks": looks})
        return merged

    def _pieces(
        self, paragraph: Any, style: str | None, part: Any
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        instruction: str | None = None
        shown = True
        for element in paragraph.iter(f"{W}r", f"{W}fldSimple"):
            if element.tag == f"{W}fldSimple":
                yield _field(element.get(f"{W}instr", "")), self._looks(None, style, None)
                continue
            if element.getparent().tag == f"{W}fldSimple":
                continue
            looks = self._looks(element.find(f"{W}rPr"), style, _link(element, part))
            for child in element:
                if child.tag == f"{W}fldChar":
                    state = child.get(f"{W}fldCharType")
                    if state == "begin":
                        instruction = ""
                    elif state == "end" and instruction is not None:
                        if _field(instruction):
                            yield _field(instruction), self._looks(None, style, None)
                        instruction, shown = None, True
                    elif state == "separate":
                        shown = not _field(instruction or "")
                elif child.tag == f"{W}instrText":
                    instruction = (instruction or "") + (child.text or "")
                elif shown:
                    yield _text(child, part), looks

    def _looks(self, own: Any, style: str | None, link: str | None) -> dict[str, Any]:
        """Only what is not plain, but font and size always."""
        character = self._style_of(own, "rStyle")
        chain = [
            own, *(self._chain(character, "rPr") if character else ()),
            *self._chain(style, "rPr"), self._defaults["rPr"],
        ]  # fmt: skip
        looks: dict[str, Any] = {
            name: True for tag, name in _TOGGLES.items() if self._toggled(_first(chain, tag))
        }
        color = (_value(_first(chain, "color")) or "auto").upper()
        underlined = (_value(_first(chain, "u")) or "none") not in _OFF
        script = _value(_first(chain, "vertAlign"))
        looks |= {
            "font": _attribute(chain, "rFonts", "ascii"),
            "size": int(_value(_first(chain, "sz")) or "20") / 2,
            "color": None if color in ("AUTO", "000000") or link else color,
            "underline": underlined and link is None,
            "highlight": _highlight(chain),
            "script": None if script in (None, "baseline") else script,
            "link": link,
        }
        return {name: value for name, value in looks.items() if value not in (None, False)}

    def _style_of(self, properties: Any, tag: str) -> str | None:
        return _value(properties.find(f"{W}{tag}")) if properties is not None else None

    def _chain(self, style: str | None, kind: str) -> Iterator[Any]:
        seen = set()
        while style in self._styles and style not in seen:
            seen.add(style)
            yield self._styles[style].find(f"{W}{kind}")
            style = _value(self._styles[style].find(f"{W}basedOn"))

    def _name(self, style: str | None) -> str:
        found = self._styles.get(style)
        return (_value(found.find(f"{W}name")) or "").lower() if found is not None else "normal"

    def _toggled(self, element: Any) -> bool:
        return element is not None and (_value(element) or "1") not in _OFF


def _ends_page(block: dict[str, Any]) -> bool:
    """Whether the paragraph ended with a page break, which is taken off it: some programs write it
    there and not at the beginning of the next."""
    runs = block.get("runs")
    if not runs or not runs[-1]["text"].endswith(_PAGE_BREAK):
        return False
    runs[-1]["text"] = runs[-1]["text"][:-1]
    if not runs[-1]["text"]:
        runs.pop()
    return True


def _first(chain: list[Any], tag: str) -> Any:
    for properties in chain:
        found = properties.find(f"{W}{tag}") if properties is not None else None
        if found is not None:
            return found
    return None


def _attribute(chain: list[Any], tag: str, key: str) -> str | None:
    for properties in chain:
        found = properties.find(f"{W}{tag}") if properties is not None else None
        if found is not None and found.get(f"{W}{key}") is not None:
            return str(found.get(f"{W}{key}"))
    return None


def _value(element: Any) -> str | None:
    return element.get(f"{W}val") if element is not None else None


def _align(element: Any) -> str:
    value = _value(element) or "left"
    return _ALIGN.get(value, value)


def _highlight(chain: list[Any]) -> str | None:
    named = _value(_first(chain, "highlight"))
    if named not in (None, "none"):
        return _NAMED.get(str(named), named)
    fill = _attribute(chain, "shd", "fill")
    return None if fill in (None, "auto") else str(fill).upper()


def _link(run: Any, part: Any) -> str | None:
    above = run.getparent()
    if above.tag != f"{W}hyperlink":
        return None
    reference = above.get(f"{R}id")
    if reference is None:
        return f"#{above.get(f'{W}anchor')}"
    return str(part.rels[reference].target_ref)


def _field(instruction: str) -> str:
    words = instruction.split()
    return _FIELDS.get(words[0].upper(), "") if words else ""


def _text(element: Any, part: Any) -> str:
    if element.tag == f"{W}t":
        return element.text or ""
    if element.tag == f"{W}tab":
        return "\t"
    if element.tag == f"{W}br":
        return _PAGE_BREAK if element.get(f"{W}type") == "page" else "\n"
    if element.tag == f"{W}noBreakHyphen":
        return "\u2011"
    if element.tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
        return "{note}"
    if element.tag == f"{W}commentReference":
        return "{comment}"
    return "".join(_picture(blip, part) for blip in element.iter(f"{A}blip"))


def _picture(blip: Any, part: Any) -> str:
    content = part.related_parts[blip.get(f"{R}embed")].blob
    frame = next((one for one in blip.iterancestors() if one.tag.startswith(WP)), None)
    extent = frame.find(f"{WP}extent") if frame is not None else None
    size = [] if extent is None else [int(extent.get(c)) / EMU_PER_CM for c in ("cx", "cy")]
    shown = " x ".join(f"{length:.1f}" for length in size)
    return f"{{picture {hashlib.sha256(content).hexdigest()[:16]} {shown}}}"
