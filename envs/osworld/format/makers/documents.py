"""Makes text documents; `envs.osworld.inside.steps.documents` documents the description."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from envs.osworld.format.makers.stable_zip import without_timestamps

FONT, HEADING_FONT = "Liberation Serif", "Liberation Sans"
MARKS = (
    "bold",
    "italic",
    "underline",
    "strike",
    "color",
    "highlight",
    "size",
    "font",
    "script",
    "link",
)
_ALIGN = {"left": "left", "center": "center", "right": "right", "justify": "both"}
_SIDES = {
    "top": "top_margin",
    "bottom": "bottom_margin",
    "left": "left_margin",
    "right": "right_margin",
    "width": "page_width",
    "height": "page_height",
}
_FIELDS = {"{page}": "PAGE", "{pages}": "NUMPAGES"}
_LIST_STYLES = {"bullet": "List Bullet", "number": "List Number"}
TWIPS = 20


def document_bytes(content: Mapping[str, Any]) -> bytes:
    """A .docx file of this content."""
    from docx import Document
    from docx.oxml.ns import qn

    document = Document()
    _set_plain_fonts(document)
    for block in content["body"]:
        if isinstance(block, Mapping) and "table" in block:
            _add_table(document, block["table"])
        else:
            _fill(document.add_paragraph(), block)
    _set_page(document.sections[0], content.get("page", {}))
    for part in ("header", "footer"):
        if part in content:
            _fill_margin(getattr(document.sections[0], part), content[part])
    for text, index in content.get("comments", ()):
        comment = document.add_comment(document.paragraphs[index].runs, text, "Someone", "S")
        del comment._comment_elm.attrib[qn("w:date")]
    out = io.BytesIO()
    document.save(out)
    return without_timestamps(out.getvalue())


def _set_plain_fonts(made: Any) -> None:
    """Styles name their fonts, because fonts of a theme are lost when another program saves the
    file."""
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
    settings: Mapping[str, Any] = {"text": block} if isinstance(block, str) else block
    if "style" in settings:
        paragraph.style = settings["style"]
    _lay_out(paragraph, settings)
    marks = {mark: settings[mark] for mark in MARKS if mark in settings}
    for run in settings.get("runs", [settings.get("text", "")]):
        _add_run(paragraph, marks | ({"text": run} if isinstance(run, str) else dict(run)))


def _lay_out(paragraph: Any, settings: Mapping[str, Any]) -> None:
    from docx.shared import Cm, Pt

    layout = paragraph.paragraph_format
    if "align" in settings:
        _append_property(layout._element.get_or_add_pPr(), "w:jc", val=_ALIGN[settings["align"]])
    if "spacing" in settings:
        layout.line_spacing = float(settings["spacing"])
    if "before" in settings:
        layout.space_before = Pt(settings["before"])
    if "after" in settings:
        layout.space_after = Pt(settings["after"])
    if "indent" in settings:
        layout.left_indent = Cm(settings["indent"])
    if settings.get("break"):
        layout.page_break_before = True
    if "list" in settings:
        _make_list_item(paragraph, settings["list"])


def _make_list_item(paragraph: Any, kind: str) -> None:
    """Makes the paragraph a list item, with the numbering of the template's list style."""
    style = paragraph.part.document.styles[_LIST_STYLES[kind]]
    number = style.element.pPr.numPr.numId.val
    numbering = paragraph._p.get_or_add_pPr().get_or_add_numPr()
    numbering.get_or_add_ilvl().val = 0
    numbering.get_or_add_numId().val = number


def _add_run(paragraph: Any, settings: Mapping[str, Any]) -> None:
    run = paragraph.add_run(settings["text"])
    properties = run._r.get_or_add_rPr()
    if "font" in settings:
        run.font.name = settings["font"]
    run.font.bold = settings.get("bold")
    run.font.italic = settings.get("italic")
    run.font.underline = settings.get("underline")
    run.font.strike = settings.get("strike")
    if "color" in settings:
        _append_property(properties, "w:color", val=settings["color"])
    if "size" in settings:
        _append_property(properties, "w:sz", val=str(round(settings["size"] * 2)))
    if "highlight" in settings:
        _append_property(properties, "w:shd", val="clear", fill=settings["highlight"])
    if "script" in settings:
        _append_property(properties, "w:vertAlign", val=f"{settings['script']}script")
    if "link" in settings:
        _make_link(paragraph, run, settings["link"])


def _make_link(paragraph: Any, run: Any, address: str) -> None:
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    link = OxmlElement("w:hyperlink")
    reference = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link.set(qn("r:id"), reference)
    run._r.addprevious(link)
    link.append(run._r)


def _append_property(owner: Any, tag: str, **values: str) -> None:
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
        settings = {"text": block} if isinstance(block, str) else dict(block)
        pieces = re.split(r"(\{pages?\})", settings.pop("text"))
        _fill(paragraph, settings | {"runs": []})
        for piece in pieces:
            if piece in _FIELDS:
                _append_property(paragraph._p, "w:fldSimple", instr=_FIELDS[piece])
            elif piece:
                _add_run(paragraph, {"text": piece})
