"""Tasks in Writer: what text says."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from envs.gyms.desktop.prose import PROJECTS, TASKS, TOPICS, paragraphs
from envs.gyms.desktop.template import (
    DOCUMENTS,
    Draft,
    Json,
    both,
    check,
    click,
    done,
    key,
    nothing_else,
    said,
    template,
    tool,
    typed,
)
from envs.gyms.desktop.words import CITIES, ITEMS, PEOPLE

HOME_KEY = key("ctrl", "home")
SAVE = [tool("writer.save"), done()]
SAVE_BY_KEYS = [key("ctrl", "s"), done()]


def again(count: int, *keys: str) -> Json:
    """A chord pressed several times."""
    return {"type": "key", "keys": list(keys), "repeat": count}


def paragraph_keys(number: int) -> list[Json]:
    """Puts the cursor at the beginning of a paragraph (from 1)."""
    return [HOME_KEY] if number == 1 else [HOME_KEY, again(number - 1, "ctrl", "down")]


def in_writer(
    name: str,
    instruction: str,
    before: Json,
    after: Json,
    api: Sequence[Json],
    gui: Sequence[Json] | None = None,
) -> Draft:
    """A task that turns an open document into another; the actions need not save."""
    path = f"{DOCUMENTS}/{name}"
    return Draft(
        instruction=instruction,
        config=[
            {"type": "document", "parameters": {"path": path, **before}},
            {"type": "open", "parameters": {"path": path}},
        ],
        evaluator=both(check("document_is", path, after), nothing_else(changed=[path])),
        api=[*api, *SAVE],
        gui=None if gui is None else [*gui, *SAVE_BY_KEYS],
    )


@template("libreoffice_writer")
def writer_replace_name(rng: random.Random) -> Draft:
    """One name becomes another everywhere, not in longer names."""
    old, new, other = rng.sample(PROJECTS, 3)
    texts = paragraphs(rng, 3)
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
    return in_writer(
        "status.docx",
        f"In the open document, replace the project name {old} by {new} everywhere and leave "
        "everything else as it is. Save the document.",
        {"body": before},
        {"body": after},
        [tool("writer.find_replace", find=old, replace=new)],
        [
            key("ctrl", "h"),
            {"type": "type", "target": {"named": "Search For", "role": "box"}, "text": old},
            {"type": "type", "target": {"named": "Replace With", "role": "box"}, "text": new},
            click("Replace All", "button"),
            click("Close", "button"),
        ],
    )


@template("libreoffice_writer")
def writer_add_line(rng: random.Random) -> Draft:
    """One paragraph more, after the one named."""
    todo = rng.sample(TASKS, rng.randint(5, 7))
    extra, first = todo.pop(), rng.choice(("Things to do", "This week", "Before the meeting"))
    at = rng.randrange(len(todo) - 1)
    body = [first, *todo]
    after = [*body[: at + 2], extra, *body[at + 2 :]]
    return in_writer(
        "list.docx",
        f'Add a line "{extra}" right below the line "{todo[at]}" in list.docx, which is open, and '
        "save it.",
        {"body": body},
        {"body": after},
        [tool("writer.insert_text", text=extra, after_paragraph=at + 2)],
        [*paragraph_keys(at + 2), key("end"), key("enter"), typed(extra)],
    )


@template("libreoffice_writer")
def writer_delete_section(rng: random.Random) -> Draft:
    """A heading and the text below it go."""
    topics, texts = rng.sample(TOPICS, 3), paragraphs(rng, 6)
    gone = rng.randrange(3)
    sections = [
        [{"text": topic, "style": "Heading 1"}, texts[2 * index], texts[2 * index + 1]]
        for index, topic in enumerate(topics)
    ]
    title = {"text": "Report", "style": "Title"}
    first = 3 * gone + 2
    return in_writer(
        "report.docx",
        f'Delete the section "{topics[gone]}" from the report, its heading included, and save '
        "the file.",
        {"body": [title, *(block for section in sections for block in section)]},
        {"body": [title, *(b for i, s in enumerate(sections) if i != gone for b in s)]},
        [tool("writer.delete_paragraph", paragraph=first, last_paragraph=first + 2)],
    )


@template("libreoffice_writer")
def writer_move_paragraph(rng: random.Random) -> Draft:
    """The last paragraph becomes the first below the title."""
    city, texts = rng.choice(CITIES), paragraphs(rng, rng.randint(3, 5))
    title = {"text": f"Our office in {city}", "style": "Title"}
    last = len(texts) + 1
    return in_writer(
        "office.docx",
        "Move the last paragraph of the document up, so that it is the first one below the title. "
        "Save the document.",
        {"body": [title, *texts]},
        {"body": [title, texts[-1], *texts[:-1]]},
        [
            tool("writer.delete_paragraph", paragraph=last),
            tool("writer.insert_text", text=texts[-1], after_paragraph=1),
        ],
        [key("ctrl", "end"), again(len(texts) - 1, "ctrl", "alt", "up")],
    )


@template("libreoffice_writer")
def writer_table_row(rng: random.Random) -> Draft:
    """A row more at the end of a table."""
    items = rng.sample(ITEMS, rng.randint(4, 6))
    rows: list[list[Any]] = [[{"text": "Item", "bold": True}, {"text": "Pieces", "bold": True}]]
    rows += [[item, str(rng.randint(2, 60))] for item in items]
    new, text = rows.pop(), paragraphs(rng, 1)[0]
    return in_writer(
        "stock.docx",
        f'Add a row at the end of the table in stock.docx: item "{new[0]}", {new[1]} pieces. '
        "Save the file.",
        {"body": [text, {"table": rows}, "End of the list."]},
        {"body": [text, {"table": [*rows, new]}, "End of the list."]},
        [tool("writer.insert_table_rows", rows=[new])],
    )


@template("libreoffice_writer")
def writer_lines_to_table(rng: random.Random) -> Draft:
    """Lines with commas become a table."""
    people = rng.sample(PEOPLE, rng.randint(3, 5))
    rows = [["Name", "City"], *([one, rng.choice(CITIES)] for one in people)]
    intro, last = paragraphs(rng, 2)
    return in_writer(
        "guests.docx",
        f'Turn the {len(rows)} lines from "Name,City" on into a table with two columns, split at '
        "the comma. Leave the other text as it is and save.",
        {"body": [intro, *(",".join(row) for row in rows), last]},
        {"body": [intro, {"table": rows}, last], "any": ["cells"]},
        [tool("writer.text_to_table", paragraph=2, last_paragraph=len(rows) + 1)],
    )


@template("libreoffice_writer")
def writer_find_deadline(rng: random.Random) -> Draft:
    """A question that the document answers."""
    topics, texts = rng.sample(TOPICS, 4), paragraphs(rng, 4)
    days = rng.sample(range(2, 29), 4)
    month = rng.choice(("March", "April", "May", "October"))
    asked = rng.randrange(4)
    path = f"{DOCUMENTS}/plan.docx"
    body: list[Any] = [{"text": "Plan", "style": "Title"}]
    for topic, text, day in zip(topics, texts, days, strict=True):
        body += [{"text": topic, "style": "Heading 1"}, f"{text} The deadline is {day} {month}."]
    return Draft(
        instruction=f"What is the deadline given in the section {topics[asked]} of plan.docx? "
        "Answer with day and month as they are written there. Change nothing.",
        config=[
            {"type": "document", "parameters": {"path": path, "body": body}},
            {"type": "open", "parameters": {"path": path}},
        ],
        evaluator=both(said(f"{days[asked]} {month}"), nothing_else()),
        api=[tool("writer.read"), done(f"{days[asked]} {month}")],
        gui=[*paragraph_keys(2 * asked + 2), done(f"{days[asked]} {month}")],
    )


@template("libreoffice_writer")
def writer_uppercase_headings(rng: random.Random) -> Draft:
    """Headings in capitals."""
    topics, texts = rng.sample(TOPICS, 3), paragraphs(rng, 3)

    def body(change: Any) -> Json:
        blocks: list[Any] = []
        for topic, text in zip(topics, texts, strict=True):
            blocks += [{"text": change(topic), "style": "Heading 2"}, text]
        return {"body": blocks}

    gui: list[Json] = []
    for number in (1, 3, 5):
        gui += [*paragraph_keys(number), key("shift", "end"), typed(topics[number // 2].upper())]
    return in_writer(
        "topics.docx",
        "Write the three headings of the open document in capital letters (the letters themselves, "
        "not a font effect). Save it.",
        body(str),
        body(str.upper),
        [tool("writer.change_case", case="upper", paragraph=number) for number in (1, 3, 5)],
        gui,
    )
