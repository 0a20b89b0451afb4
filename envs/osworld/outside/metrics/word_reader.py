"""What a .docx file means: its text with the formats that hold there, wherever they come from.

Guarantees: two files that look alike read alike, whichever program wrote them; whatever a reader of
the document would notice (text, formats, lists, pages, headers, pictures, links, comments, tracked
changes) is in what `read_document` gives.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import IO, Any

from envs.osworld.outside.metrics.word_styles import TWIPS_PER_CM, Styles, W, align, first

R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
EMU_PER_CM = 360_000.0
_FIELDS = {"PAGE": "{page}", "NUMPAGES": "{pages}"}
_TRACKED = ("ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange")
_PAGE_BREAK = "\f"


def read_document(file: str | IO[bytes]) -> dict[str, Any]:
    """body, sections, comments, tracked. Raises what python-docx raises for a file that is no
    document."""
    from docx import Document

    document = Document(file)
    reader = _Reader(document)
    body = document.element.body
    return {
        "body": reader.blocks(body),
        "sections": [reader.section(section) for section in body.iter(f"{W}sectPr")],
        "comments": [comment.text for comment in document.comments],
        "tracked": sum(1 for tag in _TRACKED for _ in body.iter(f"{W}{tag}")),
    }


class _Reader:
    def __init__(self, document: Any) -> None:
        self._part = document.part
        self._styles = Styles(document.part, document.styles.element)

    def blocks(self, parent: Any, part: Any = None) -> list[Any]:
        """An empty paragraph right after a table, which every program adds as it likes, is left
        out."""
        blocks: list[Any] = []
        for child in parent:
            if child.tag == f"{W}sdt":
                content = child.find(f"{W}sdtContent")
                blocks += self.blocks(content, part) if content is not None else []
            elif child.tag == f"{W}tbl":
                blocks.append({"table": [self._row(row, part) for row in child.iter(f"{W}tr")]})
            elif child.tag == f"{W}p":
                paragraph = self._paragraph(child, part or self._part)
                if blocks and _ends_page(blocks[-1]):
                    paragraph["break"] = True
                after_table = bool(blocks) and "table" in blocks[-1]
                if paragraph["runs"] or paragraph["break"] or not after_table:
                    blocks.append(paragraph)
        return blocks

    def section(self, properties: Any) -> dict[str, Any]:
        size, margins = properties.find(f"{W}pgSz"), properties.find(f"{W}pgMar")
        columns = properties.find(f"{W}cols")
        lengths = {
            "width": size.get(f"{W}w"),
            "height": size.get(f"{W}h"),
            **{side: margins.get(f"{W}{side}") for side in ("top", "bottom", "left", "right")},
        }
        return {
            **{name: int(value) / TWIPS_PER_CM for name, value in lengths.items()},
            "columns": int(columns.get(f"{W}num", "1")) if columns is not None else 1,
            "header": self._margin(properties, "header"),
            "footer": self._margin(properties, "footer"),
        }

    def _margin(self, properties: Any, kind: str) -> list[Any]:
        """Paragraphs with text of a header or footer, of every kind of page."""
        blocks: list[Any] = []
        for reference in properties.iter(f"{W}{kind}Reference"):
            part = self._part.related_parts[reference.get(f"{R}id")]
            part_blocks = self.blocks(part.element, part)
            blocks += [block for block in part_blocks if "table" in block or block["runs"]]
        return [
            {"align": block["align"], "runs": block["runs"]} if "runs" in block else block
            for block in blocks
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
        style = self._styles.style_of(own, "pStyle") or self._styles.normal
        chain = self._styles.paragraph_chain(own, style)
        runs = self._runs(element, style, part)
        breaks = self._styles.is_on(first(chain, "pageBreakBefore"))
        if runs and runs[0]["text"].startswith(_PAGE_BREAK):
            breaks = True
            runs[0]["text"] = runs[0]["text"][1:]
            runs = [run for run in runs if run["text"]]
        kind = self._styles.list_kind(chain)
        return {
            "style": self._styles.name(style),
            "align": align(first(chain, "jc")),
            "list": kind,
            "break": breaks,
            **self._styles.spaces(chain, in_list=kind is not None),
            "runs": runs,
        }

    def _runs(self, paragraph: Any, style: str | None, part: Any) -> list[dict[str, Any]]:
        merged: list[dict[str, Any]] = []
        for text, formatting in self._pieces(paragraph, style, part):
            if merged and merged[-1]["formatting"] == formatting:
                merged[-1]["text"] += text
            elif text:
                merged.append({"text": text, "formatting": formatting})
        return merged

    def _pieces(
        self, paragraph: Any, style: str | None, part: Any
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        instruction: str | None = None
        shown = True
        for element in paragraph.iter(f"{W}r", f"{W}fldSimple"):
            if element.tag == f"{W}fldSimple":
                yield (
                    _field(element.get(f"{W}instr", "")),
                    self._styles.formatting(None, style, None),
                )
                continue
            if element.getparent().tag == f"{W}fldSimple":
                continue
            formatting = self._styles.formatting(
                element.find(f"{W}rPr"), style, _link(element, part)
            )
            for child in element:
                if child.tag == f"{W}fldChar":
                    state = child.get(f"{W}fldCharType")
                    if state == "begin":
                        instruction = ""
                    elif state == "end" and instruction is not None:
                        if _field(instruction):
                            yield _field(instruction), self._styles.formatting(None, style, None)
                        instruction, shown = None, True
                    elif state == "separate":
                        shown = not _field(instruction or "")
                elif child.tag == f"{W}instrText":
                    instruction = (instruction or "") + (child.text or "")
                elif shown:
                    yield _text(child, part), formatting


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
    frame = next(
        (ancestor for ancestor in blip.iterancestors() if ancestor.tag.startswith(WP)), None
    )
    extent = frame.find(f"{WP}extent") if frame is not None else None
    size = [] if extent is None else [int(extent.get(c)) / EMU_PER_CM for c in ("cx", "cy")]
    dimensions = " x ".join(f"{length:.1f}" for length in size)
    return f"{{picture {hashlib.sha256(content).hexdigest()[:16]} {dimensions}}}"
