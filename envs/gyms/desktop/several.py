"""Tasks that need several programs, or several files."""

from __future__ import annotations

import base64
import io
import random
import zipfile
from typing import Any

from envs.gyms.desktop.mail import INBOX, STRAY, letters, mail_is
from envs.gyms.desktop.prose import PROJECTS, TASKS, TOPICS, paragraphs
from envs.gyms.desktop.template import (
    DOCUMENTS,
    HOME,
    Draft,
    Json,
    both,
    check,
    done,
    nothing_else,
    said,
    template,
    tool,
)
from envs.gyms.desktop.words import CITIES, ITEMS, PEOPLE

CALC, WRITER, IMPRESS = "libreoffice_calc", "libreoffice_writer", "libreoffice_impress"
DOWNLOADS = f"{HOME}/Downloads"


def workbook(path: str, **sheets: list[list[Any]]) -> Json:
    return {"type": "workbook", "parameters": {"path": path, "sheets": sheets}}


def document(path: str, body: list[Any]) -> Json:
    return {"type": "document", "parameters": {"path": path, "body": body}}


def presentation(path: str, slides: list[Json]) -> Json:
    return {"type": "presentation", "parameters": {"path": path, "slides": slides}}


def text_file(path: str, text: str) -> Json:
    return {"type": "text_file", "parameters": {"path": path, "text": text}}


def opened(path: str) -> Json:
    return {"type": "open", "parameters": {"path": path}}


def folder_is(path: str, files: dict[str, str]) -> Json:
    """One part of an evaluator: a folder holds just these texts."""
    return {
        "func": "folder_is",
        "result": {"type": "vm_folder", "path": path},
        "expected": {"type": "rule", "rules": files},
    }


def amounts(rng: random.Random) -> list[list[Any]]:
    """A header, and a row for each of some items."""
    items = rng.sample(ITEMS, rng.randint(4, 7))
    return [["Item", "Amount"], *([item, rng.randint(5, 95)] for item in items)]


@template(CALC, WRITER)
def several_total_into_letter(rng: random.Random) -> Draft:
    """The sum of a sheet's column goes into a letter."""
    rows, texts, name = amounts(rng), paragraphs(rng, 2), rng.choice(PEOPLE)
    sheet, letter = f"{DOCUMENTS}/budget.xlsx", f"{DOCUMENTS}/letter.docx"
    total = str(sum(row[1] for row in rows[1:]))

    def body(shown: str) -> list[Any]:
        return [
            f"Dear {name},",
            {"runs": [texts[0], " The total is ", {"text": shown, "bold": True}, " euros."]},
            texts[1],
            "Kind regards",
        ]

    return Draft(
        instruction="In the letter that is open (letter.docx), replace the placeholder TOTAL by "
        "the sum of the Amount column in budget.xlsx, which lies in the same folder. It stays "
        "bold. Save the letter and leave budget.xlsx as it is.",
        config=[workbook(sheet, Sheet1=rows), document(letter, body("TOTAL")), opened(letter)],
        evaluator=both(
            check("document_is", letter, {"body": body(total)}), nothing_else(changed=[letter])
        ),
        api=[
            tool("office.open", path=sheet),
            tool("calc.read_range"),
            tool("writer.find_replace", find="TOTAL", replace=total, document="letter.docx"),
            tool("writer.save", document="letter.docx"),
            done(),
        ],
    )


@template(IMPRESS, "os")
def several_list_to_slide(rng: random.Random) -> Draft:
    """Lines of a text file become the points of a slide."""
    points, topic = rng.sample(TASKS, rng.randint(3, 5)), rng.choice(TOPICS)
    notes, deck = f"{DOCUMENTS}/agenda.txt", f"{DOCUMENTS}/meeting.pptx"
    first = {"title": f"{topic} meeting", "subtitle": rng.choice(PEOPLE)}
    before: list[Json] = [first, {"title": "Agenda", "body": ["To be filled in"]}]
    after = [first, {"title": "Agenda", "body": points}]
    return Draft(
        instruction='On the slide "Agenda" of meeting.pptx, which is open, replace the point '
        '"To be filled in" by the lines of agenda.txt in the Documents folder: one point for each '
        "line, in the same order. Save the presentation.",
        config=[
            text_file(notes, "".join(f"{one}\n" for one in points)),
            presentation(deck, before),
            opened(deck),
        ],
        evaluator=both(
            check("presentation_is", deck, {"slides": after}), nothing_else(changed=[deck])
        ),
        api=[
            tool("files.read", path=notes),
            tool("impress.set_text", slide=2, shape="content", text="\n".join(points)),
            tool("impress.save"),
            done(),
        ],
        over=[{"path": notes, "append": "One line more\n"}],
    )


@template(CALC, "os")
def several_csv_to_workbook(rng: random.Random) -> Draft:
    """A CSV file becomes a workbook with a total."""
    rows = amounts(rng)
    table, book = f"{DOWNLOADS}/export.csv", f"{DOCUMENTS}/export.xlsx"
    last = len(rows)
    total = {"value": sum(row[1] for row in rows[1:]), "formula": True}
    text = "".join(f"{name},{amount}\n" for name, amount in rows)
    return Draft(
        instruction="Make a spreadsheet export.xlsx in Documents with the content of export.csv "
        f"from Downloads, starting in A1. Call its only sheet Export, and write Total into "
        f"A{last + 1} and a formula for the sum of the amounts into B{last + 1}.",
        config=[text_file(table, text)],
        evaluator=both(
            check("workbook_is", book, {"Export": [*rows, ["Total", total]]}),
            nothing_else(added=[book]),
        ),
        api=[
            tool("files.read", path=table),
            tool("office.new", kind="calc", path=book),
            tool("calc.rename_sheet") | {"arguments": {"name": "Sheet1", "new_name": "Export"}},
            tool("calc.write_range", cell="A1", rows=[*rows, ["Total", f"=SUM(B2:B{last})"]]),
            tool("calc.save"),
            done(),
        ],
        over=[{"path": table, "append": "Extra,1\n"}],
    )


@template(CALC, WRITER)
def several_order_price(rng: random.Random) -> Draft:
    """A question that needs a price from a sheet and a number from a document."""
    items = rng.sample(ITEMS, 6)
    prices = [rng.randint(2, 40) for _ in items]
    wanted, pieces = rng.randrange(6), rng.randint(3, 30)
    sheet, order = f"{DOCUMENTS}/prices.xlsx", f"{DOCUMENTS}/order.docx"
    rows: list[list[Any]] = [["Item", "Price"], *map(list, zip(items, prices, strict=True))]
    texts, answer = paragraphs(rng, 2), str(pieces * prices[wanted])
    body = [texts[0], f"Please send {pieces} pieces of {items[wanted]} to our office.", texts[1]]
    return Draft(
        instruction="order.docx says how many pieces of one item are ordered, prices.xlsx what "
        "one piece costs; both are in Documents. What does the order cost in all? Answer with the "
        "number only and change nothing.",
        config=[workbook(sheet, Prices=rows), document(order, body), opened(order)],
        evaluator=both(said(int(answer)), nothing_else()),
        api=[
            tool("writer.read"),
            tool("office.open", path=sheet),
            tool("calc.read_range"),
            done(answer),
        ],
    )


@template(CALC, "os")
def several_zip_into_sheet(rng: random.Random) -> Draft:
    """A number inside an archive goes into a sheet."""
    cities = rng.sample(CITIES, 3)
    visitors = rng.sample(range(100, 990), 3)
    asked = rng.randrange(3)
    archive, sheet = f"{DOWNLOADS}/counts.zip", f"{DOCUMENTS}/visitors.xlsx"
    files = {
        f"{city.lower()}.txt": f"Visitors: {n}\n" for city, n in zip(cities, visitors, strict=True)
    }
    before: list[list[Any]] = [["City", "Visitors"], *([city, None] for city in cities)]
    after = [row if n != asked + 1 else [row[0], visitors[asked]] for n, row in enumerate(before)]
    extracted = f"{DOWNLOADS}/counts"
    folder = [f"{extracted}/{name}" for name in files]
    unpacked = folder_is(extracted, files)
    return Draft(
        instruction="Unpack counts.zip from Downloads into a folder counts beside it. It holds a "
        f"text file for each city: write the number of visitors of {cities[asked]} into its row "
        "of visitors.xlsx, which is open, and save the spreadsheet. Keep the archive.",
        config=[
            {"type": "text_file", "parameters": {"path": archive, "base64": _zipped(files)}},
            workbook(sheet, Sheet1=before),
            opened(sheet),
        ],
        evaluator=both(
            check("workbook_is", sheet, {"Sheet1": after}),
            unpacked,
            nothing_else(added=folder, changed=[sheet]),
        )
        | {"milestones": {"unpacked": unpacked}},
        api=[
            tool("archives.extract", path=archive, to=extracted),
            tool("files.read", path=folder[asked]),
            tool("calc.set_cell", cell=f"B{asked + 2}", value=visitors[asked]),
            tool("calc.save"),
            done(),
        ],
        over=[{"path": folder[0], "append": "more\n"}],
    )


def _zipped(files: dict[str, str]) -> str:
    """The same bytes for the same files, in base64."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
    return base64.b64encode(out.getvalue()).decode()


@template(IMPRESS, "os")
def several_outline(rng: random.Random) -> Draft:
    """The titles of the slides go into a text file."""
    topics = rng.sample(TOPICS, rng.randint(4, 6))
    slides = [{"title": topic, "body": rng.sample(TASKS, 2)} for topic in topics]
    deck, outline = f"{DOCUMENTS}/talk.pptx", f"{DOCUMENTS}/outline.txt"
    text = "".join(f"{topic}\n" for topic in topics)
    return Draft(
        instruction="Write the titles of all slides of talk.pptx, one on each line and in the "
        "order of the slides, into a text file outline.txt in Documents. Leave the presentation as "
        "it is.",
        config=[presentation(deck, slides), opened(deck)],
        evaluator=both(check("text_is", outline, text), nothing_else(added=[outline])),
        api=[tool("impress.info"), tool("files.write", path=outline, text=text), done()],
    )


@template(WRITER, CALC)
def several_table_to_sheet(rng: random.Random) -> Draft:
    """A table of a document becomes a workbook."""
    people = rng.sample(PEOPLE, rng.randint(4, 6))
    rows: list[list[Any]] = [["Name", "City", "Age"]]
    rows += [[one, rng.choice(CITIES), rng.randint(21, 64)] for one in people]
    source, book = f"{DOCUMENTS}/members.docx", f"{DOCUMENTS}/members.xlsx"
    texts = paragraphs(rng, 2)
    table = {"table": [[str(cell) for cell in row] for row in rows]}
    return Draft(
        instruction="Copy the table of members.docx into a new spreadsheet members.xlsx in "
        "Documents, its header in row 1 from A1 on, the ages as numbers. Keep the name of the "
        "sheet, Sheet1. Leave the document as it is.",
        config=[document(source, [texts[0], table, texts[1]]), opened(source)],
        evaluator=both(check("workbook_is", book, {"Sheet1": rows}), nothing_else(added=[book])),
        api=[
            tool("writer.read_table"),
            tool("office.new", kind="calc", path=book),
            tool("calc.write_range", cell="A1", rows=rows),
            tool("calc.save"),
            done(),
        ],
    )


@template(CALC, "os")
def several_folders_from_sheet(rng: random.Random) -> Draft:
    """A folder for each row of a sheet, with a note in it."""
    projects, people = rng.sample(PROJECTS, 4), rng.sample(PEOPLE, 4)
    done_ones = rng.sample(range(4), 2)
    rows = [["Project", "Lead", "State"]]
    rows += [
        [project, lead, "closed" if n in done_ones else "open"]
        for n, (project, lead) in enumerate(zip(projects, people, strict=True))
    ]
    sheet, place = f"{DOCUMENTS}/projects.xlsx", f"{DOCUMENTS}/Projects"
    files = {f"{row[0]}/lead.txt": row[1] for row in rows[1:] if row[2] == "open"}
    return Draft(
        instruction="For each project that is open according to projects.xlsx in Documents, make a "
        "folder with the project's name in Documents/Projects, and in it a text file lead.txt that "
        "holds just the name of its lead. Make none for the closed projects.",
        config=[workbook(sheet, Projects=rows), opened(sheet)],
        evaluator=both(
            folder_is(place, files),
            nothing_else(added=[f"{place}/{path}" for path in files]),
        ),
        api=[
            tool("calc.read_range"),
            *(tool("files.write", path=f"{place}/{path}", text=t) for path, t in files.items()),
            done(),
        ],
    )


@template(WRITER, IMPRESS)
def several_headings_to_slides(rng: random.Random) -> Draft:
    """Each section of a document becomes a slide."""
    topics, texts = rng.sample(TOPICS, 3), paragraphs(rng, 3)
    source, deck = f"{DOCUMENTS}/report.docx", f"{DOCUMENTS}/report.pptx"
    first = {"title": "Report", "subtitle": rng.choice(PEOPLE)}
    body: list[Any] = []
    for topic, text in zip(topics, texts, strict=True):
        body += [{"text": topic, "style": "Heading 1"}, text]
    after = [
        first,
        *({"title": one, "body": [text]} for one, text in zip(topics, texts, strict=True)),
    ]
    makes = []
    for number, (topic, text) in enumerate(zip(topics, texts, strict=True), 2):
        makes += [
            tool("impress.add_slide", layout="title_content"),
            tool("impress.set_text", slide=number, shape="title", text=topic),
            tool("impress.set_text", slide=number, shape="content", text=text),
        ]
    return Draft(
        instruction="report.docx in Documents has three sections. Add a slide for each of them, in "
        "the same order, to the open presentation report.pptx, after its first slide: the heading "
        "as the title and the paragraph as the only point of the content box. Save the "
        "presentation.",
        config=[document(source, body), presentation(deck, [first]), opened(deck)],
        evaluator=both(
            check("presentation_is", deck, {"slides": after, "any": [2, 3, 4]}),
            nothing_else(changed=[deck]),
        ),
        api=[
            tool("office.open", path=source),
            tool("writer.read"),
            *makes,
            tool("impress.save"),
            done(),
        ],
    )


@template("thunderbird", CALC)
def several_mail_to_sheet(rng: random.Random) -> Draft:
    """Numbers from messages go into a sheet."""
    inbox = letters(rng, 4)
    counts = rng.sample(range(2, 60), 4)
    inbox = [
        one | {"text": f"{one['text']}\n\nWe need {count} places."}
        for one, count in zip(inbox, counts, strict=True)
    ]
    names = [one["from"].split(" <")[0] for one in inbox]
    order = rng.sample(range(4), 4)
    sheet = f"{DOCUMENTS}/places.xlsx"
    before: list[list[Any]] = [["Name", "Places"], *([names[n], None] for n in order)]
    after = [before[0], *([names[n], counts[n]] for n in order)]
    return Draft(
        instruction="Each message in Thunderbird's Inbox says how many places its sender needs. "
        "Write the numbers into the column Places of places.xlsx (in Documents), each beside the "
        "sender's name, and save the file. Leave the mail as it is.",
        config=[
            workbook(sheet, Sheet1=before),
            {"type": "mailbox", "parameters": {"folders": {"Inbox": inbox}}},
            {"type": "open_mail", "parameters": {}},
        ],
        evaluator=both(
            check("workbook_is", sheet, {"Sheet1": after}),
            mail_is({"Inbox": inbox}),
            nothing_else(changed=[sheet]),
        ),
        api=[
            *(tool("thunderbird.read_message", folder="Inbox", message=n) for n in (1, 2, 3, 4)),
            tool("office.open", path=sheet),
            tool("calc.write_column", cell="B2", values=[counts[n] for n in order]),
            tool("calc.save"),
            done(),
        ],
        over=[{"path": INBOX, "append": STRAY}],
    )
