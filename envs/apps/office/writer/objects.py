"""Writer tools that put into the text pictures, formulas, links, comments, notes and indexes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from envs.apps.office.lengths import to_cm
from envs.apps.office.pictures import check_file_exists, display_size
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.undo import OneStep
from envs.apps.office.uno_values import enum, file_url
from envs.apps.office.writer.ranges import (
    Where,
    cursor_over,
    each_paragraph,
    insertion_cursor,
    select_ranges,
)

MATH = "078B7ABA-54FC-457F-8551-6147e776a997"
"""Class of the formula object."""

tools = ToolGroup("writer")


@tools.tool("writer.insert_image")
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
    check_file_exists(path)
    picture = doc.createInstance("com.sun.star.text.TextGraphicObject")
    picture.GraphicURL = file_url(path)
    picture.AnchorType = as_character()
    with OneStep(doc, f"Insert {Path(path).name}"):
        cursor = insertion_cursor(doc, where, after_paragraph)
        cursor.getText().insertTextContent(cursor, picture, False)
        width, height = display_size(picture.Graphic, path, width_cm, height_cm)
        picture.Width, picture.Height = width, height
    return {"width_cm": to_cm(width), "height_cm": to_cm(height)}


@tools.tool("writer.insert_formula")
def insert_formula(
    doc: Any, formula: str, where: Where = "cursor", after_paragraph: int | None = None
) -> None:
    """Inserts a formula in LibreOffice Math's language, such as "E = m c^2", "{a} over {b}"."""
    if not formula.strip():
        raise OfficeError("bad_value", "the formula is empty")
    cursor = insertion_cursor(doc, where, after_paragraph)
    holder = doc.createInstance("com.sun.star.text.TextEmbeddedObject")
    holder.CLSID = MATH
    holder.AnchorType = as_character()
    cursor.getText().insertTextContent(cursor, holder, False)
    holder.getEmbeddedObject().Formula = formula


@tools.tool("writer.hyperlink")
def hyperlink(doc: Any, pattern: str, url: str) -> int:
    """Makes the matches of a regular expression links to `url` ("" removes a link); counts them."""
    matches = select_ranges(doc, pattern, None, None)
    for match in matches:
        cursor = cursor_over(match)
        if url:
            cursor.HyperLinkURL = url
        else:
            cursor.setPropertyToDefault("HyperLinkURL")
    return len(matches)


@tools.tool("writer.insert_link")
def insert_link(
    doc: Any, text: str, url: str, where: Where = "cursor", after_paragraph: int | None = None
) -> None:
    """Inserts new text that is a link."""
    cursor = insertion_cursor(doc, where, after_paragraph)
    cursor.getText().insertString(cursor, text, True)
    cursor.HyperLinkURL = url


@tools.tool("writer.comment")
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
    target = cursor_over(select_ranges(doc, pattern, paragraph, None)[0])
    note = doc.createInstance("com.sun.star.text.textfield.Annotation")
    note.Content, note.Author = text, author
    target.getText().insertTextContent(target, note, True)


@tools.tool("writer.comments")
def comments(doc: Any) -> list[dict[str, str]]:
    """Lists the comments: author, text, and what they are about."""
    fields = doc.getTextFields().createEnumeration()
    descriptions = []
    while fields.hasMoreElements():
        field = fields.nextElement()
        if field.supportsService("com.sun.star.text.textfield.Annotation"):
            descriptions.append(
                {
                    "author": field.Author,
                    "text": field.Content,
                    "about": field.getAnchor().getString(),
                }
            )
    return descriptions


@tools.tool("writer.footnote")
def footnote(
    doc: Any, text: str, pattern: str, kind: Literal["footnote", "endnote"] = "footnote"
) -> None:
    """Puts a footnote or endnote after the first match of a pattern."""
    target = select_ranges(doc, pattern, None, None)[0].getEnd()
    note = doc.createInstance(f"com.sun.star.text.{kind.capitalize()}")
    target.getText().insertTextContent(target, note, False)
    note.setString(text)


@tools.tool("writer.table_of_contents")
def table_of_contents(
    doc: Any, title: str = "Table of Contents", after_paragraph: int = 0, levels: int = 3
) -> int:
    """Inserts a table of contents made of the headings; gives the number of its lines.

    after_paragraph: 0 puts it before everything.
    """
    if not 1 <= levels <= 10:
        raise OfficeError("bad_value", f"headings have levels 1 to 10, not {levels}")
    outline = (paragraph.OutlineLevel for paragraph in each_paragraph(doc.Text))
    if not any(1 <= level <= levels for level in outline):
        raise OfficeError("bad_value", "there are no headings; give some a style such as Heading 1")
    cursor = insertion_cursor(doc, "end", after_paragraph)
    index = doc.createInstance("com.sun.star.text.ContentIndex")
    index.CreateFromOutline = True
    index.Level = levels
    index.Title = title
    doc.Text.insertTextContent(cursor, index, False)
    index.update()
    lines = index.getAnchor().getString().split("\n")
    return len([line for line in lines if line]) - bool(title)


@tools.tool("writer.update_indexes")
def update_indexes(doc: Any) -> int:
    """Brings tables of contents and fields up to date; gives the number of tables."""
    indexes = doc.getDocumentIndexes()
    for number in range(indexes.getCount()):
        indexes.getByIndex(number).update()
    doc.getTextFields().refresh()
    count: int = indexes.getCount()
    return count


def as_character() -> Any:
    """The anchor of an object that is in line with the text."""
    return enum("text.TextContentAnchorType", "AS_CHARACTER")
