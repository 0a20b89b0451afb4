"""Writer tools that put into the text pictures, formulas, links, comments, notes and indexes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from envs.office.characters import centimetres
from envs.office.documents import file_url
from envs.office.pictures import existing_file, shown_size
from envs.office.registry import OfficeError, office_tool
from envs.office.undo import OneStep
from envs.office.writer_ranges import Where, chosen, cursor_over, each_paragraph, place

MATH = "078B7ABA-54FC-457F-8551-6147e776a997"
"""Class of the formula object."""


@office_tool("writer.insert_image", "writer")
def insert_image(
    doc: Any,
    path: str,
    where: Where = "cursor",
    after_paragraph: int | None = None,
    width_cm: float | None = None,
    height_cm: float | None = None,
) -> dict[str, float]:
    """Inserts a picture from a file, in line with the text; gives its size in cm.

    With only one of width and height the other keeps the proportion.
    """
    existing_file(path)
    picture = doc.createInstance("com.sun.star.text.TextGraphicObject")
    picture.GraphicURL = file_url(path)
    picture.AnchorType = as_character()
    with OneStep(doc, f"Insert {Path(path).name}"):
        cursor = place(doc, where, after_paragraph)
        cursor.getText().insertTextContent(cursor, picture, False)
        width, height = shown_size(picture.Graphic, path, width_cm, height_cm)
        picture.Width, picture.Height = width, height
    return {"width_cm": centimetres(width), "height_cm": centimetres(height)}


@office_tool("writer.insert_formula", "writer")
def insert_formula(
    doc: Any, formula: str, where: Where = "cursor", after_paragraph: int | None = None
) -> None:
    """Inserts a formula in LibreOffice Math's language, such as "E = m c^2", "{a} over {b}"."""
    if not formula.strip():
        raise OfficeError("bad_value", "the formula is empty")
    cursor = place(doc, where, after_paragraph)
    holder = doc.createInstance("com.sun.star.text.TextEmbeddedObject")
    holder.CLSID = MATH
    holder.AnchorType = as_character()
    cursor.getText().insertTextContent(cursor, holder, False)
    holder.getEmbeddedObject().Formula = formula


@office_tool("writer.hyperlink", "writer")
def hyperlink(doc: Any, pattern: str, url: str) -> int:
    """Makes the matches of a regular expression links to `url` ("" removes a link); counts them."""
    found = chosen(doc, pattern, None, None)
    for one in found:
        cursor = cursor_over(one)
        if url:
            cursor.HyperLinkURL = url
        else:
            cursor.setPropertyToDefault("HyperLinkURL")
    return len(found)


@office_tool("writer.insert_link", "writer")
def insert_link(
    doc: Any, text: str, url: str, where: Where = "cursor", after_paragraph: int | None = None
) -> None:
    """Inserts new text that is a link."""
    cursor = place(doc, where, after_paragraph)
    cursor.getText().insertString(cursor, text, True)
    cursor.HyperLinkURL = url


@office_tool("writer.comment", "writer")
def comment(
    doc: Any,
    text: str,
    pattern: str | None = None,
    paragraph: int | None = None,
    author: str = "",
) -> None:
    """Comments on the first match of a pattern, or on a paragraph."""
    if pattern is None and paragraph is None:
        raise OfficeError("bad_value", "a comment needs a pattern or a paragraph to stand at")
    target = cursor_over(chosen(doc, pattern, paragraph, None)[0])
    note = doc.createInstance("com.sun.star.text.textfield.Annotation")
    note.Content, note.Author = text, author
    target.getText().insertTextContent(target, note, True)


@office_tool("writer.comments", "writer")
def comments(doc: Any) -> list[dict[str, str]]:
    """Lists the comments: author, text, and what they are about."""
    fields = doc.getTextFields().createEnumeration()
    found = []
    while fields.hasMoreElements():
        field = fields.nextElement()
        if field.supportsService("com.sun.star.text.textfield.Annotation"):
            found.append(
                {
                    "author": field.Author,
                    "text": field.Content,
                    "about": field.getAnchor().getString(),
                }
            )
    return found


@office_tool("writer.footnote", "writer")
def footnote(
    doc: Any, text: str, pattern: str, kind: Literal["footnote", "endnote"] = "footnote"
) -> None:
    """Puts a footnote or endnote after the first match of a pattern."""
    target = chosen(doc, pattern, None, None)[0].getEnd()
    note = doc.createInstance(f"com.sun.star.text.{kind.capitalize()}")
    target.getText().insertTextContent(target, note, False)
    note.setString(text)


@office_tool("writer.table_of_contents", "writer")
def table_of_contents(
    doc: Any, title: str = "Table of Contents", after_paragraph: int = 0, levels: int = 3
) -> int:
    """Inserts a table of contents made of the headings; gives the number of its lines.

    after_paragraph: 0 puts it before everything.
    """
    if not 1 <= levels <= 10:
        raise OfficeError("bad_value", f"headings have levels 1 to 10, not {levels}")
    outline = (one.OutlineLevel for one in each_paragraph(doc.Text))
    if not any(1 <= level <= levels for level in outline):
        raise OfficeError("bad_value", "there are no headings; give some a style such as Heading 1")
    cursor = place(doc, "end", after_paragraph)
    index = doc.createInstance("com.sun.star.text.ContentIndex")
    index.CreateFromOutline = True
    index.Level = levels
    index.Title = title
    doc.Text.insertTextContent(cursor, index, False)
    index.update()
    lines = index.getAnchor().getString().split("\n")
    return len([line for line in lines if line]) - bool(title)


@office_tool("writer.update_indexes", "writer")
def update_indexes(doc: Any) -> int:
    """Brings tables of contents and fields up to date; gives the number of tables."""
    indexes = doc.getDocumentIndexes()
    for number in range(indexes.getCount()):
        indexes.getByIndex(number).update()
    doc.getTextFields().refresh()
    count: int = indexes.getCount()
    return count


def as_character() -> Any:
    import uno

    return uno.Enum("com.sun.star.text.TextContentAnchorType", "AS_CHARACTER")
