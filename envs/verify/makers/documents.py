"""Makes text documents; `envs.verify.steps.documents` says what of."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from envs.verify.makers.timeless import timeless

FONT, HEADING_FONT = "Liberation Serif", "Liberation Sans"
MARKS = (
    "bold", "italic", "underline", "strike", "color", "highlight", "size", "font", "script", "link",
)  # fmt: skip
_ALIGN = {"left": "left", "center": "center", "right": "right", "justify": "both"}
_SIDES = {"top": "top_margin", "bottom": "bottom_margin", "left": "left_margin",
          "right": "right_margin", "width": "page_width", "height": "page_height"}  # fmt: skip
_FIELDS = {"{page}": "PAGE", "{pages}": "NUMPAGES"}
_LIST_STYLES = {"bullet": "List Bullet", "number": "List Number"}
TWIPS = 20


def document_bytes(given: Mapping[str, Any]) -> bytes:
    """A .docx file of this content."""
    from docx import Document
    from docx.oxml.ns import qn

    made = Document()
    _plain_fonts(made)
    for block in given["body"]:
        if isinstance(block, Mapping) and "table" in block:
            _add_table(made, block["table"])
        else:
            _fill(made.add_paragraph(), block)
    _set_page(made.sections[0], given.get("page", {}))
    for part in ("header", "footer"):
        if part in given:
            _fill_margin(getattr(made.sections[0], part), given[part])
    for text, index in given.get("comments", ()):
        comment = made.add_comment(made.paragraphs[index].runs, text, "Someone", "S")
        del comment._comment_elm.attrib[qn("w:date")]
    out = io.BytesIO()
    made.save(out)
    return timeless(out.getvalue())


def _plain_fonts(made: Any) -> None:
    """Styles name their fonts: what a theme says is lost when another program saves the file."""
    from docx.oxml.ns import qn

    for fonts in made.styles.element.iter(qn("w:rFonts")):
        for key in list(fonts.attrib):
            del fonts.attrib[key]
        owner = fonts.getparent().getparent()
        name = owner.get(qn("w:styleId")) or ""
        font = HEADING_FONT if name.startswith(("Heading", "Title", "Subtitle")) else FONT
        for kind in ("ascii", "hAnsi", "cs", "eastAsia"):
            fonts.set(qn(f"w:{kind}"), font)


def _add_table(made: Any, rows: Sequence[Sequence[Any]]) -> None:
    table = made.add_table(len(rows), len(rows[0]), style="Table Grid")
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            _fill(table.cell(y, x).paragraphs[0], cell)


def _fill(paragraph: Any, block: str | Mapping[str, Any]) -> None:
    given: Mapping[str, Any] = {"text": block} if isinstance(block, str) else block
    if "style" in given:
        paragraph.style = given["style"]
    _lay_out(paragraph, given)
    own = {mark: given[mark] for mark in MARKS if mark in given}
    for run in given.get("runs", [given.get("text", "")]):
        _add_run(paragraph, own | ({"text": run} if isinstance(run, str) else dict(run)))


def _lay_out(paragraph: Any, given: Mapping[str, Any]) -> None:
    from docx.shared import Cm, Pt

    layout = paragraph.paragraph_format
    if "align" in given:
        _property(layout._element.get_or_add_pPr(), "w:jc", val=_ALIGN[given["align"]])
    if "spacing" in given:
        layout.line_spacing = float(given["spacing"])
    if "before" in given:
        layout.space_before = Pt(given["before"])
    if "after" in given:
        layout.space_after = Pt(given["after"])
    if "indent" in given:
        layout.left_indent = Cm(given["indent"])
    if given.get("break"):
        layout.page_break_before = True
    if "list" in given:
        _number(paragraph, given["list"])


def _number(paragraph: Any, kind: str) -> None:
    """List membership of the paragraph's own, as the numbering of the template's list style."""
    style = paragraph.part.document.styles[_LIST_STYLES[kind]]
    number = style.element.pPr.numPr.numId.val
    numbering = paragraph._p.get_or_add_pPr().get_or_add_numPr()
    numbering.get_or_add_ilvl().val = 0
    numbering.get_or_add_numId().val = number


def _add_run(paragraph: Any, given: Mapping[str, Any]) -> None:
    run = paragraph.add_run(given["text"])
    properties = run._r.get_or_add_rPr()
    if "font" in given:
        run.font.name = given["font"]
    run.font.bold = given.get("bold")
    run.font.italic = given.get("italic")
    run.font.underline = given.get("underline")
    run.font.strike = given.get("strike")
    if "color" in given:
        _property(properties, "w:color", val=given["color"])
    if "size" in given:
        _property(properties, "w:sz", val=str(round(given["size"] * 2)))
    if "highlight" in given:
        _property(properties, "w:shd", val="clear", fill=given["highlight"])
    if "script" in given:
        _property(properties, "w:vertAlign", val=f"{given['script']}script")
    if "link" in given:
        _link(paragraph, run, given["link"])


def _link(paragraph: Any, run: Any, address: str) -> None:
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    link = OxmlElement("w:hyperlink")
    reference = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link.set(qn("r:id"), reference)
    run._r.addprevious(link)
    link.append(run._r)


def _property(owner: Any, tag: str, **values: str) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    made = OxmlElement(tag)
    for key, value in values.items():
        made.set(qn(f"w:{key}"), value)
    owner.append(made)


def _set_page(section: Any, page: Mapping[str, Any]) -> None:
    from docx.oxml.ns import qn
    from docx.shared import Cm

    for side, attribute in _SIDES.items():
        if side in page:
            setattr(section, attribute, Cm(page[side]))
    if "columns" in page:
        section._sectPr.find(qn("w:cols")).set(qn("w:num"), str(page["columns"]))


def _fill_margin(part: Any, blocks: Sequence[Any]) -> None:
    for index, block in enumerate(blocks):
        paragraph = part.paragraphs[0] if index == 0 else part.add_paragraph()
        given = {"text": block} if isinstance(block, str) else dict(block)
        pieces = re.split(r"(\{pages?\})", given.pop("text"))
        _fill(paragraph, given | {"runs": []})
        for piece in pieces:
            if piece in _FIELDS:
                _property(paragraph._p, "w:fldSimple", instr=_FIELDS[piece])
            elif piece:
                _add_run(paragraph, {"text": piece})
