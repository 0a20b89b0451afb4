"""Tasks in Writer about the content of the text."""

from __future__ import annotations

import random
from typing import Any

from tasksets.desktop.actions import click, finish, key, tool, type_into, type_text, wait
from tasksets.desktop.checks import all_of, answer_is, only_changed
from tasksets.desktop.setup_steps import create_document, open_path
from tasksets.desktop.template import DOCUMENTS, WRITER, DesktopTemplate, Draft, Json
from tasksets.desktop.vocabulary import (
    CHORES,
    CITIES,
    ITEMS,
    PEOPLE,
    PROJECTS,
    TOPICS,
    sample_paragraphs,
)
from tasksets.desktop.writer_document import edit_document, move_to_paragraph


def writer_replace_name(rng: random.Random) -> Draft:
    """A name replaced everywhere; other names stay."""
    old, new, other = rng.sample(PROJECTS, 3)
    texts = sample_paragraphs(rng, 3)
    before: list[Any] = [
        {"text": f"Project {old}", "style": "Title"},
        f"{texts[0]} {old} goes on as planned.",
        {"runs": [texts[1], " Ask the ", {"text": old, "bold": True}, " office for details."]},
        f"{texts[2]} {other} is not part of this.",
    ]
    after = [
        {"text": f"Project {new}", "style": "Title"},
        f"{texts[0]} {new} goes on as planned.",
        {"runs": [texts[1], " Ask the ", {"text": new, "bold": True}, " office for details."]},
        before[3],
    ]
    return edit_document(
        file_name="status.docx",
        instruction=f"In the open document, replace the project name {old} by {new} everywhere and "
        "leave everything else as it is. Save the document.",
        before={"body": before},
        after={"body": after},
        api=[tool("writer.find_replace", find=old, replace=new)],
        gui=[
            key("ctrl", "h"),
            type_into("Search For", old),
            type_into("Replace With", new),
            click("Replace All", "button"),
            click("Close", "button"),
        ],
    )


def writer_add_line(rng: random.Random) -> Draft:
    """A paragraph added after a certain one."""
    todo = rng.sample(CHORES, rng.randint(5, 7))
    extra, first = todo.pop(), rng.choice(("Things to do", "This week", "Before the meeting"))
    at = rng.randrange(len(todo) - 1)
    body = [first, *todo]
    after = [*body[: at + 2], extra, *body[at + 2 :]]
    return edit_document(
        file_name="list.docx",
        instruction=f'Add a line "{extra}" right below the line "{todo[at]}" in list.docx, which '
        "is open, and save it.",
        before={"body": body},
        after={"body": after},
        api=[tool("writer.insert_text", text=extra, after_paragraph=at + 2)],
        gui=[*move_to_paragraph(at + 2), key("end"), key("enter"), type_text(extra)],
    )


def writer_delete_section(rng: random.Random) -> Draft:
    """A heading and the text below it are deleted."""
    topics, texts = rng.sample(TOPICS, 3), sample_paragraphs(rng, 6)
    deleted = rng.randrange(3)
    sections = [
        [{"text": topic, "style": "Heading 1"}, texts[2 * index], texts[2 * index + 1]]
        for index, topic in enumerate(topics)
    ]
    title = {"text": "Report", "style": "Title"}
    first = 3 * deleted + 2
    return edit_document(
        file_name="report.docx",
        instruction=f'Delete the section "{topics[deleted]}" from the report, its heading '
        "included, and save the file.",
        before={"body": [title, *(block for section in sections for block in section)]},
        after={
            "body": [
                title,
                *(
                    block
                    for index, section in enumerate(sections)
                    if index != deleted
                    for block in section
                ),
            ]
        },
        api=[tool("writer.delete_paragraph", paragraph=first, last_paragraph=first + 2)],
        gui=[
            *move_to_paragraph(first),
            *(
                [key("ctrl", "shift", "down", repeat=3)]
                if deleted < 2
                else [key("left"), key("ctrl", "shift", "end")]
            ),
            key("delete"),
        ],
    )


def writer_move_paragraph(rng: random.Random) -> Draft:
    """The last paragraph moved below the title."""
    city, texts = rng.choice(CITIES), sample_paragraphs(rng, rng.randint(3, 5))
    title = {"text": f"Our office in {city}", "style": "Title"}
    last = len(texts) + 1
    return edit_document(
        file_name="office.docx",
        instruction="Move the last paragraph of the document up, so that it is the first one below "
        "the title. Save the document.",
        before={"body": [title, *texts]},
        after={"body": [title, texts[-1], *texts[:-1]]},
        api=[
            tool("writer.delete_paragraph", paragraph=last),
            tool("writer.insert_text", text=texts[-1], after_paragraph=1),
        ],
        gui=[key("ctrl", "end"), key("ctrl", "alt", "up", repeat=len(texts) - 1)],
    )


def writer_table_row(rng: random.Random) -> Draft:
    """A row added at the end of a table."""
    items = rng.sample(ITEMS, rng.randint(4, 6))
    rows: list[list[Any]] = [[{"text": "Item", "bold": True}, {"text": "Pieces", "bold": True}]]
    rows += [[item, str(rng.randint(2, 60))] for item in items]
    new, text = rows.pop(), sample_paragraphs(rng, 1)[0]
    return edit_document(
        file_name="stock.docx",
        instruction=f'Add a row at the end of the table in stock.docx: item "{new[0]}", {new[1]} '
        "pieces. Save the file.",
        before={"body": [text, {"table": rows}, "End of the list."]},
        after={"body": [text, {"table": [*rows, new]}, "End of the list."]},
        api=[tool("writer.insert_table_rows", rows=[new])],
        gui=[
            *move_to_paragraph(1 + 2 * len(rows)),
            key("end"),
            key("tab"),
            type_text(new[0]),
            key("tab"),
            type_text(new[1]),
        ],
    )


def writer_lines_to_table(rng: random.Random) -> Draft:
    """Lines with commas become a table."""
    people = rng.sample(PEOPLE, rng.randint(3, 5))
    rows = [["Name", "City"], *([person, rng.choice(CITIES)] for person in people)]
    intro, last = sample_paragraphs(rng, 2)
    return edit_document(
        file_name="guests.docx",
        instruction=f'Turn the {len(rows)} lines from "Name,City" on into a table with two '
        "columns, split at the comma. Leave the other text as it is and save.",
        before={"body": [intro, *(",".join(row) for row in rows), last]},
        after={"body": [intro, {"table": rows}, last], "any": ["cells"]},
        api=[tool("writer.text_to_table", paragraph=2, last_paragraph=len(rows) + 1)],
        gui=[
            *move_to_paragraph(2),
            key("ctrl", "shift", "down", repeat=len(rows)),
            click("Table", "menu"),
            click("Convert", "menu"),
            click("Text to Table...", "menu"),
            click("Other:"),
            type_into("Symbol", ",", clear=True),
            click("OK", "button"),
            wait(1000),
        ],
    )


def writer_find_deadline(rng: random.Random) -> Draft:
    """A question whose answer is in the document."""
    topics, texts = rng.sample(TOPICS, 4), sample_paragraphs(rng, 4)
    days = rng.sample(range(2, 29), 4)
    month = rng.choice(("March", "April", "May", "October"))
    index = rng.randrange(4)
    path = f"{DOCUMENTS}/plan.docx"
    body: list[Any] = [{"text": "Plan", "style": "Title"}]
    for topic, text, day in zip(topics, texts, days, strict=True):
        body += [{"text": topic, "style": "Heading 1"}, f"{text} The deadline is {day} {month}."]
    return Draft(
        instruction=f"What is the deadline given in the section {topics[index]} of plan.docx? "
        "Answer with day and month as they are written there. Change nothing.",
        config=[
            create_document(path, body=body),
            open_path(path),
        ],
        evaluator=all_of(answer_is(f"{days[index]} {month}"), only_changed()),
        api=[tool("writer.read"), finish(f"{days[index]} {month}")],
        gui=[*move_to_paragraph(2 * index + 2), finish(f"{days[index]} {month}")],
    )


def writer_uppercase_headings(rng: random.Random) -> Draft:
    """Headings in capitals."""
    topics, texts = rng.sample(TOPICS, 3), sample_paragraphs(rng, 3)

    def body(change: Any) -> Json:
        blocks: list[Any] = []
        for topic, text in zip(topics, texts, strict=True):
            blocks += [{"text": change(topic), "style": "Heading 2"}, text]
        return {"body": blocks}

    gui: list[Json] = []
    for number in (1, 3, 5):
        gui += [
            *move_to_paragraph(number),
            key("shift", "end"),
            type_text(topics[number // 2].upper()),
        ]
    return edit_document(
        file_name="topics.docx",
        instruction="Write the three headings of the open document in capital letters (the letters "
        "themselves, not a font effect). Save it.",
        before=body(str),
        after=body(str.upper),
        api=[tool("writer.change_case", case="upper", paragraph=number) for number in (1, 3, 5)],
        gui=gui,
    )


TEMPLATES = (
    DesktopTemplate(name="writer_replace_name", apps=(WRITER,), sample_draft=writer_replace_name),
    DesktopTemplate(name="writer_add_line", apps=(WRITER,), sample_draft=writer_add_line),
    DesktopTemplate(
        name="writer_delete_section", apps=(WRITER,), sample_draft=writer_delete_section
    ),
    DesktopTemplate(
        name="writer_move_paragraph", apps=(WRITER,), sample_draft=writer_move_paragraph
    ),
    DesktopTemplate(name="writer_table_row", apps=(WRITER,), sample_draft=writer_table_row),
    DesktopTemplate(
        name="writer_lines_to_table", apps=(WRITER,), sample_draft=writer_lines_to_table
    ),
    DesktopTemplate(name="writer_find_deadline", apps=(WRITER,), sample_draft=writer_find_deadline),
    DesktopTemplate(
        name="writer_uppercase_headings", apps=(WRITER,), sample_draft=writer_uppercase_headings
    ),
)
