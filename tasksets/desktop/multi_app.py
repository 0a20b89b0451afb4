"""Tasks that need several programs or several files."""

from __future__ import annotations

import random
from typing import Any

from tasksets.desktop.actions import (
    finish,
    in_terminal,
    key,
    tool,
    type_text,
    wait,
)
from tasksets.desktop.calc_workbook import SAVE, select_cells
from tasksets.desktop.checks import all_of, answer_is, check_file, folder_is, mail_is, only_changed
from tasksets.desktop.mail import INBOX, STRAY_MESSAGE, sample_inbox, sender_name
from tasksets.desktop.setup_steps import (
    create_document,
    create_mailbox,
    create_presentation,
    create_text_file,
    create_workbook,
    create_zip,
    open_mail,
    open_path,
)
from tasksets.desktop.template import (
    CALC,
    DOCUMENTS,
    HOME,
    IMPRESS,
    MAIL,
    OPERATING_SYSTEM,
    WRITER,
    DesktopTemplate,
    Draft,
    Json,
)
from tasksets.desktop.vocabulary import (
    CHORES,
    CITIES,
    ITEMS,
    PEOPLE,
    PROJECTS,
    TOPICS,
    sample_paragraphs,
)

DOWNLOADS = f"{HOME}/Downloads"


def _open_by_keys(path: str) -> list[Json]:
    """Opens a document from the window of another."""
    return [key("ctrl", "o"), wait(2000), type_text(path, submit=True), wait(4000)]


def _amount_rows(rng: random.Random) -> list[list[Any]]:
    """A header, and a row for each of some items."""
    items = rng.sample(ITEMS, rng.randint(4, 7))
    return [["Item", "Amount"], *([item, rng.randint(5, 95)] for item in items)]


def several_total_into_letter(rng: random.Random) -> Draft:
    """The sum of a sheet's column is written into a letter."""
    rows, texts, name = _amount_rows(rng), sample_paragraphs(rng, 2), rng.choice(PEOPLE)
    sheet, letter = f"{DOCUMENTS}/budget.xlsx", f"{DOCUMENTS}/letter.docx"
    total = str(sum(row[1] for row in rows[1:]))

    def body(total_text: str) -> list[Any]:
        return [
            f"Dear {name},",
            {"runs": [texts[0], " The total is ", {"text": total_text, "bold": True}, " euros."]},
            texts[1],
            "Kind regards",
        ]

    return Draft(
        instruction="In the letter that is open (letter.docx), replace the placeholder TOTAL by "
        "the sum of the Amount column in budget.xlsx, which lies in the same folder. It stays "
        "bold. Save the letter and leave budget.xlsx as it is.",
        config=[
            create_workbook(sheet, {"Sheet1": rows}),
            create_document(letter, body=body("TOTAL")),
            open_path(letter),
        ],
        evaluator=all_of(
            check_file("document_is", letter, {"body": body(total)}), only_changed(changed=[letter])
        ),
        api=[
            tool("office.open", path=sheet),
            tool("calc.read_range"),
            tool("writer.find_replace", find="TOTAL", replace=total, document="letter.docx"),
            tool("writer.save", document="letter.docx"),
            finish(),
        ],
    )


def several_list_to_slide(rng: random.Random) -> Draft:
    """Lines of a text file become the points of a slide."""
    points, topic = rng.sample(CHORES, rng.randint(3, 5)), rng.choice(TOPICS)
    notes, deck = f"{DOCUMENTS}/agenda.txt", f"{DOCUMENTS}/meeting.pptx"
    first = {"title": f"{topic} meeting", "subtitle": rng.choice(PEOPLE)}
    before: list[Json] = [first, {"title": "Agenda", "body": ["To be filled in"]}]
    after = [first, {"title": "Agenda", "body": points}]
    return Draft(
        instruction='On the slide "Agenda" of meeting.pptx, which is open, replace the point "To '
        'be filled in" by the lines of agenda.txt in the Documents folder: one point for each '
        "line, in the same order. Save the presentation.",
        config=[
            create_text_file(notes, "".join(f"{point}\n" for point in points)),
            create_presentation(deck, before),
            open_path(deck),
        ],
        evaluator=all_of(
            check_file("presentation_is", deck, {"slides": after}), only_changed(changed=[deck])
        ),
        api=[
            tool("files.read", path=notes),
            tool("impress.set_text", slide=2, shape="content", text="\n".join(points)),
            tool("impress.save"),
            finish(),
        ],
        over_edits=[{"path": notes, "append": "One line more\n"}],
    )


def several_csv_to_workbook(rng: random.Random) -> Draft:
    """A CSV file becomes a workbook with a total."""
    rows = _amount_rows(rng)
    table, book = f"{DOWNLOADS}/export.csv", f"{DOCUMENTS}/export.xlsx"
    last = len(rows)
    total = {"value": sum(row[1] for row in rows[1:]), "formula": True}
    text = "".join(f"{name},{amount}\n" for name, amount in rows)
    return Draft(
        instruction="Make a spreadsheet export.xlsx in Documents with the content of export.csv "
        "from Downloads, starting in A1. Call its only sheet Export, and write Total into "
        f"A{last + 1} and a formula for the sum of the amounts into B{last + 1}.",
        config=[create_text_file(table, text)],
        evaluator=all_of(
            check_file("workbook_is", book, {"Export": [*rows, ["Total", total]]}),
            only_changed(added=[book]),
        ),
        api=[
            tool("files.read", path=table),
            tool("office.new", kind="calc", path=book),
            tool("calc.rename_sheet", name="Sheet1", new_name="Export"),
            tool("calc.write_range", cell="A1", rows=[*rows, ["Total", f"=SUM(B2:B{last})"]]),
            tool("calc.save"),
            finish(),
        ],
        over_edits=[{"path": table, "append": "Extra,1\n"}],
    )


def several_order_price(rng: random.Random) -> Draft:
    """A question that needs a price from a sheet and a number from a document."""
    items = rng.sample(ITEMS, 6)
    prices = [rng.randint(2, 40) for _ in items]
    index, pieces = rng.randrange(6), rng.randint(3, 30)
    sheet, order = f"{DOCUMENTS}/prices.xlsx", f"{DOCUMENTS}/order.docx"
    rows: list[list[Any]] = [["Item", "Price"], *map(list, zip(items, prices, strict=True))]
    texts, answer = sample_paragraphs(rng, 2), str(pieces * prices[index])
    body = [texts[0], f"Please send {pieces} pieces of {items[index]} to our office.", texts[1]]
    return Draft(
        instruction="order.docx says how many pieces of one item are ordered, prices.xlsx what one "
        "piece costs; both are in Documents. What does the order cost in all? Answer with the "
        "number only and change nothing.",
        config=[
            create_workbook(sheet, {"Prices": rows}),
            create_document(order, body=body),
            open_path(order),
        ],
        evaluator=all_of(answer_is(int(answer)), only_changed()),
        api=[
            tool("writer.read"),
            tool("office.open", path=sheet),
            tool("calc.read_range"),
            finish(answer),
        ],
        gui=[*_open_by_keys(sheet), finish(answer)],
    )


def several_zip_into_sheet(rng: random.Random) -> Draft:
    """A number from a file in an archive is written into a sheet."""
    cities = rng.sample(CITIES, 3)
    visitors = rng.sample(range(100, 990), 3)
    index = rng.randrange(3)
    archive, sheet = f"{DOWNLOADS}/counts.zip", f"{DOCUMENTS}/visitors.xlsx"
    files = {
        f"{city.lower()}.txt": f"Visitors: {n}\n" for city, n in zip(cities, visitors, strict=True)
    }
    before: list[list[Any]] = [["City", "Visitors"], *([city, None] for city in cities)]
    after = [row if n != index + 1 else [row[0], visitors[index]] for n, row in enumerate(before)]
    extracted = f"{DOWNLOADS}/counts"
    unpacked_paths = [f"{extracted}/{name}" for name in files]
    unpacked_check = folder_is(extracted, files)
    return Draft(
        instruction="Unpack counts.zip from Downloads into a folder counts beside it. It holds a "
        f"text file for each city: write the number of visitors of {cities[index]} into its row "
        "of visitors.xlsx, which is open, and save the spreadsheet. Keep the archive.",
        config=[
            create_zip(archive, files),
            create_workbook(sheet, {"Sheet1": before}),
            open_path(sheet),
        ],
        evaluator=all_of(
            check_file("workbook_is", sheet, {"Sheet1": after}),
            unpacked_check,
            only_changed(added=unpacked_paths, changed=[sheet]),
        )
        | {"milestones": {"unpacked": unpacked_check}},
        api=[
            tool("archives.extract", path=archive, to=extracted),
            tool("files.read", path=unpacked_paths[index]),
            tool("calc.set_cell", cell=f"B{index + 2}", value=visitors[index]),
            tool("calc.save"),
            finish(),
        ],
        over_edits=[{"path": unpacked_paths[0], "append": "more\n"}],
        gui=[
            *in_terminal("cd ../Downloads", "unzip -d counts counts.zip"),
            select_cells(f"B{index + 2}"),
            type_text(str(visitors[index]), submit=True),
            *SAVE,
            finish(),
        ],
    )


def several_outline(rng: random.Random) -> Draft:
    """The titles of the slides are written into a text file."""
    topics = rng.sample(TOPICS, rng.randint(4, 6))
    slides = [{"title": topic, "body": rng.sample(CHORES, 2)} for topic in topics]
    deck, outline = f"{DOCUMENTS}/talk.pptx", f"{DOCUMENTS}/outline.txt"
    text = "".join(f"{topic}\n" for topic in topics)
    return Draft(
        instruction="Write the titles of all slides of talk.pptx, one on each line and in the "
        "order of the slides, into a text file outline.txt in Documents. Leave the presentation "
        "as it is.",
        config=[create_presentation(deck, slides), open_path(deck)],
        evaluator=all_of(check_file("text_is", outline, text), only_changed(added=[outline])),
        api=[tool("impress.info"), tool("files.write", path=outline, text=text), finish()],
        gui=[
            *in_terminal(
                "printf '%s\\n' " + " ".join(f"'{topic}'" for topic in topics) + " > outline.txt"
            ),
            finish(),
        ],
    )


def several_table_to_sheet(rng: random.Random) -> Draft:
    """A table of a document becomes a workbook."""
    people = rng.sample(PEOPLE, rng.randint(4, 6))
    rows: list[list[Any]] = [["Name", "City", "Age"]]
    rows += [[person, rng.choice(CITIES), rng.randint(21, 64)] for person in people]
    source, book = f"{DOCUMENTS}/members.docx", f"{DOCUMENTS}/members.xlsx"
    texts = sample_paragraphs(rng, 2)
    table = {"table": [[str(cell) for cell in row] for row in rows]}
    return Draft(
        instruction="Copy the table of members.docx into a new spreadsheet members.xlsx in "
        "Documents, its header in row 1 from A1 on, the ages as numbers. Keep the name of the "
        "sheet, Sheet1. Leave the document as it is.",
        config=[create_document(source, body=[texts[0], table, texts[1]]), open_path(source)],
        evaluator=all_of(
            check_file("workbook_is", book, {"Sheet1": rows}), only_changed(added=[book])
        ),
        api=[
            tool("writer.read_table"),
            tool("office.new", kind="calc", path=book),
            tool("calc.write_range", cell="A1", rows=rows),
            tool("calc.save"),
            finish(),
        ],
    )


def several_folders_from_sheet(rng: random.Random) -> Draft:
    """A folder for each row of a sheet, with a note in it."""
    projects, people = rng.sample(PROJECTS, 4), rng.sample(PEOPLE, 4)
    closed_rows = rng.sample(range(4), 2)
    rows = [["Project", "Lead", "State"]]
    rows += [
        [project, lead, "closed" if n in closed_rows else "open"]
        for n, (project, lead) in enumerate(zip(projects, people, strict=True))
    ]
    sheet, place = f"{DOCUMENTS}/projects.xlsx", f"{DOCUMENTS}/Projects"
    files = {f"{row[0]}/lead.txt": row[1] for row in rows[1:] if row[2] == "open"}
    return Draft(
        instruction="For each project that is open according to projects.xlsx in Documents, make a "
        "folder with the project's name in Documents/Projects, and in it a text file lead.txt "
        "that holds just the name of its lead. Make none for the closed projects.",
        config=[create_workbook(sheet, {"Projects": rows}), open_path(sheet)],
        evaluator=all_of(
            folder_is(place, files),
            only_changed(added=[f"{place}/{path}" for path in files]),
        ),
        api=[
            tool("calc.read_range"),
            *(
                tool("files.write", path=f"{place}/{path}", text=text)
                for path, text in files.items()
            ),
            finish(),
        ],
        gui=[
            *in_terminal(
                *(
                    line
                    for path, lead in files.items()
                    for line in (
                        f"mkdir -p 'Projects/{path.removesuffix('/lead.txt')}'",
                        f"printf %s '{lead}' > 'Projects/{path}'",
                    )
                )
            ),
            finish(),
        ],
    )


def several_headings_to_slides(rng: random.Random) -> Draft:
    """Each section of a document becomes a slide."""
    topics, texts = rng.sample(TOPICS, 3), sample_paragraphs(rng, 3)
    source, deck = f"{DOCUMENTS}/report.docx", f"{DOCUMENTS}/report.pptx"
    first = {"title": "Report", "subtitle": rng.choice(PEOPLE)}
    body: list[Any] = []
    for topic, text in zip(topics, texts, strict=True):
        body += [{"text": topic, "style": "Heading 1"}, text]
    after = [
        first,
        *({"title": topic, "body": [text]} for topic, text in zip(topics, texts, strict=True)),
    ]
    add_slides: list[Json] = []
    for number, (topic, text) in enumerate(zip(topics, texts, strict=True), 2):
        add_slides += [
            tool("impress.add_slide", layout="title_content"),
            tool("impress.set_text", slide=number, shape="title", text=topic),
            tool("impress.set_text", slide=number, shape="content", text=text),
        ]
    return Draft(
        instruction="report.docx in Documents has three sections. Add a slide for each of them, in "
        "the same order, to the open presentation report.pptx, after its first slide: the heading "
        "as the title and the paragraph as the only point of the content box. Save the "
        "presentation.",
        config=[
            create_document(source, body=body),
            create_presentation(deck, [first]),
            open_path(deck),
        ],
        evaluator=all_of(
            check_file("presentation_is", deck, {"slides": after, "any": [2, 3, 4]}),
            only_changed(changed=[deck]),
        ),
        api=[
            tool("office.open", path=source),
            tool("writer.read"),
            *add_slides,
            tool("impress.save"),
            finish(),
        ],
    )


def several_mail_to_sheet(rng: random.Random) -> Draft:
    """Numbers from messages are written into a sheet."""
    inbox = sample_inbox(rng, 4)
    counts = rng.sample(range(2, 60), 4)
    inbox = [
        message | {"text": f"{message['text']}\n\nWe need {count} places."}
        for message, count in zip(inbox, counts, strict=True)
    ]
    names = [sender_name(message) for message in inbox]
    order = rng.sample(range(4), 4)
    sheet = f"{DOCUMENTS}/places.xlsx"
    before: list[list[Any]] = [["Name", "Places"], *([names[n], None] for n in order)]
    after = [before[0], *([names[n], counts[n]] for n in order)]
    return Draft(
        instruction="Each message in Thunderbird's Inbox says how many places its sender needs. "
        "Write the numbers into the column Places of places.xlsx (in Documents), each beside the "
        "sender's name, and save the file. Leave the mail as it is.",
        config=[
            create_workbook(sheet, {"Sheet1": before}),
            create_mailbox({"Inbox": inbox}),
            open_mail(),
        ],
        evaluator=all_of(
            check_file("workbook_is", sheet, {"Sheet1": after}),
            mail_is({"Inbox": inbox}),
            only_changed(changed=[sheet]),
        ),
        api=[
            *(tool("thunderbird.read_message", folder="Inbox", message=n) for n in (1, 2, 3, 4)),
            tool("office.open", path=sheet),
            tool("calc.write_column", cell="B2", values=[counts[n] for n in order]),
            tool("calc.save"),
            finish(),
        ],
        over_edits=[{"path": INBOX, "append": STRAY_MESSAGE}],
    )


TEMPLATES = (
    DesktopTemplate(
        name="several_total_into_letter",
        apps=(CALC, WRITER),
        sample_draft=several_total_into_letter,
    ),
    DesktopTemplate(
        name="several_list_to_slide",
        apps=(IMPRESS, OPERATING_SYSTEM),
        sample_draft=several_list_to_slide,
    ),
    DesktopTemplate(
        name="several_csv_to_workbook",
        apps=(CALC, OPERATING_SYSTEM),
        sample_draft=several_csv_to_workbook,
    ),
    DesktopTemplate(
        name="several_order_price", apps=(CALC, WRITER), sample_draft=several_order_price
    ),
    DesktopTemplate(
        name="several_zip_into_sheet",
        apps=(CALC, OPERATING_SYSTEM),
        sample_draft=several_zip_into_sheet,
    ),
    DesktopTemplate(
        name="several_outline", apps=(IMPRESS, OPERATING_SYSTEM), sample_draft=several_outline
    ),
    DesktopTemplate(
        name="several_table_to_sheet", apps=(WRITER, CALC), sample_draft=several_table_to_sheet
    ),
    DesktopTemplate(
        name="several_folders_from_sheet",
        apps=(CALC, OPERATING_SYSTEM),
        sample_draft=several_folders_from_sheet,
    ),
    DesktopTemplate(
        name="several_headings_to_slides",
        apps=(WRITER, IMPRESS),
        sample_draft=several_headings_to_slides,
    ),
    DesktopTemplate(
        name="several_mail_to_sheet", apps=(MAIL, CALC), sample_draft=several_mail_to_sheet
    ),
)
