"""Tasks in Writer about formatting of text, paragraphs and pages."""

from __future__ import annotations

import random
from typing import Any

from tasksets.desktop.actions import click, key, tool, type_into, type_text, wait
from tasksets.desktop.template import WRITER, DesktopTemplate, Draft, Json
from tasksets.desktop.vocabulary import (
    CHORES,
    CITIES,
    COLORS,
    PEOPLE,
    PROJECTS,
    TOPICS,
    sample_paragraphs,
)
from tasksets.desktop.writer_document import edit_document, move_right, move_to_paragraph


def writer_bold_name(rng: random.Random) -> Draft:
    """Every occurrence of a name in bold."""
    name, texts = rng.choice(PEOPLE), sample_paragraphs(rng, 3)
    runs = [
        ["Ask ", name, f" about this. {texts[0]}"],
        [texts[1]],
        [f"{texts[2]} Thanks to ", name],
    ]

    def body(formatting: Json) -> Json:
        return {
            "body": [
                {"runs": [{"text": run, **(formatting if run == name else {})} for run in line]}
                for line in runs
            ]
        }

    return edit_document(
        file_name="note.docx",
        instruction=f"Make the name {name} bold wherever it occurs in the document, and nothing "
        "else. Save.",
        before=body({}),
        after=body({"bold": True}),
        api=[tool("writer.format", pattern=name, bold=True)],
        gui=[
            key("ctrl", "h"),
            type_into("Search For", name),
            click("Find All", "button"),
            click("Close", "button"),
            key("ctrl", "b"),
        ],
    )


def writer_title_look(rng: random.Random) -> Draft:
    """The first line centred and bold."""
    city, texts = rng.choice(CITIES), sample_paragraphs(rng, 3)
    line = f"Welcome to {city}"
    return edit_document(
        file_name="welcome.docx",
        instruction=f'Centre the first line, "{line}", and make it bold. Then save the document.',
        before={"body": [line, *texts]},
        after={"body": [{"text": line, "bold": True, "align": "center"}, *texts]},
        api=[
            tool("writer.format", paragraph=1, bold=True),
            tool("writer.paragraph_format", paragraph=1, alignment="center"),
        ],
        gui=[*move_to_paragraph(1), key("shift", "end"), key("ctrl", "b"), key("ctrl", "e")],
    )


def writer_heading_styles(rng: random.Random) -> Draft:
    """Lines turned into headings by style."""
    topics, texts = rng.sample(TOPICS, 3), sample_paragraphs(rng, 3)

    def body(formatting: Json) -> Json:
        blocks: list[Any] = [{"text": "Yearly review", "style": "Title"}]
        for topic, text in zip(topics, texts, strict=True):
            blocks += [{"text": topic, **formatting}, text]
        return {"body": blocks}

    gui: list[Json] = []
    for number in (2, 4, 6):
        gui += [*move_to_paragraph(number), key("ctrl", "1")]
    return edit_document(
        file_name="review.docx",
        instruction=f"In review.docx, give the lines {topics[0]}, {topics[1]} and {topics[2]} the "
        "paragraph style Heading 1. Save the file.",
        before=body({}),
        after=body({"style": "Heading 1"}),
        api=[
            tool("writer.apply_style", style="Heading 1", paragraph=number) for number in (2, 4, 6)
        ],
        gui=gui,
    )


def writer_numbered_list(rng: random.Random) -> Draft:
    """Lines turned into a numbered list."""
    todo, texts = rng.sample(CHORES, rng.randint(3, 6)), sample_paragraphs(rng, 2)
    return edit_document(
        file_name="steps.docx",
        instruction=f'Make the {len(todo)} lines from "{todo[0]}" to "{todo[-1]}" a numbered list '
        "(1., 2., 3. ...) and save.",
        before={"body": [texts[0], *todo, texts[1]]},
        after={"body": [texts[0], *({"text": line, "list": "number"} for line in todo), texts[1]]},
        api=[tool("writer.list", kind="number", paragraph=2, last_paragraph=len(todo) + 1)],
        gui=[
            *move_to_paragraph(2),
            key("ctrl", "shift", "down", repeat=len(todo)),
            key("f12"),
        ],
    )


def writer_line_spacing(rng: random.Random) -> Draft:
    """Another line spacing of all paragraphs but the title."""
    lines, description = rng.choice(((2.0, "double"), (1.5, "1.5 lines")))
    texts = sample_paragraphs(rng, rng.randint(3, 5))
    title = {"text": rng.choice(PROJECTS), "style": "Title"}
    return edit_document(
        file_name="essay.docx",
        instruction=f"Set the line spacing of every paragraph below the title to {description}. "
        "Save the document.",
        before={"body": [title, *texts]},
        after={"body": [title, *({"text": text, "spacing": lines} for text in texts)]},
        api=[
            tool(
                "writer.paragraph_format",
                paragraph=2,
                last_paragraph=len(texts) + 1,
                line_spacing=lines,
            ),
        ],
        gui=[
            *move_to_paragraph(2),
            key("ctrl", "shift", "end"),
            click("Format", "menu"),
            click("Spacing", "menu"),
            click(f"Line Spacing: {lines:g}"),
        ],
    )


def writer_clear_highlight(rng: random.Random) -> Draft:
    """The highlighting of one colour removed, that of another kept."""
    marks, texts = rng.sample(CHORES, 4), sample_paragraphs(rng, 2)
    removed, remaining = rng.sample(
        [("yellow", "FFFF00"), ("cyan", "00FFFF"), ("pink", "FFC0CB")], 2
    )

    def body(colors: list[str | None]) -> Json:
        runs = [
            {"text": text, **({"highlight": color} if color else {})}
            for text, color in zip(marks, colors, strict=True)
        ]
        return {"body": [{"runs": [texts[0], *runs[:2]]}, {"runs": [*runs[2:], texts[1]]}]}

    order = [removed[1], remaining[1], remaining[1], removed[1]]
    rng.shuffle(order)
    return edit_document(
        file_name="draft.docx",
        instruction=f"Some words are highlighted in {removed[0]} and others in {remaining[0]} "
        f"({removed[0]} is #{removed[1]}). Remove the {removed[0]} highlighting only, keep the "
        "words, and save.",
        before=body(list(order)),
        after=body([None if color == removed[1] else color for color in order]),
        api=[tool("writer.clear_highlight", colour=f"#{removed[1]}")],
    )


def writer_subscript(rng: random.Random) -> Draft:
    """The digit of a chemical formula as subscript."""
    before, after = rng.choice((("CO", ""), ("H", "O"), ("N", "O"), ("SO", "")))
    texts = sample_paragraphs(rng, 2)

    def line(formatting: Json) -> Json:
        runs = [
            f"{texts[0]} The sensor for {before}",
            {"text": "2", **formatting},
            f"{after} works.",
        ]
        return {"body": [{"runs": runs}, f"{texts[1]} 2 more are on order."]}

    return edit_document(
        file_name="sensor.docx",
        instruction=f"In sensor.docx, make the 2 in {before}2{after} subscript. Save the file.",
        before=line({}),
        after=line({"script": "sub"}),
        api=[tool("writer.format", pattern=f"(?<={before})2", script="sub")],
        gui=[
            *move_right(f"{texts[0]} The sensor for {before}"),
            key("shift", "right"),
            key("ctrl", "shift", "b"),
        ],
    )


def writer_landscape(rng: random.Random) -> Draft:
    """Landscape pages with other margins."""
    margin, texts = rng.choice((1.5, 2.0, 3.0)), sample_paragraphs(rng, 4)
    page = {"width": 21.0, "height": 29.7, "top": 2.5, "bottom": 2.5, "left": 2.5, "right": 2.5}
    landscape_page = page | {"width": 29.7, "height": 21.0, "left": margin, "right": margin}
    return edit_document(
        file_name="wide.docx",
        instruction="Turn the pages of the document to landscape and set the left and right "
        f"margins to {margin:g} cm. Keep the top and bottom margins at 2.5 cm. Save.",
        before={"body": texts, "page": page},
        after={"body": texts, "page": landscape_page},
        api=[
            tool(
                "writer.page_setup",
                orientation="landscape",
                left_cm=margin,
                right_cm=margin,
                top_cm=2.5,
                bottom_cm=2.5,
            )
        ],
        gui=[
            click("Format", "menu"),
            click("Page Style...", "menu"),
            click("Page", "tab"),
            click("Landscape"),
            # All of them have one name: gutter, bottom, top, right, left.
            *(
                type_into("Margins", f"{cm:g} cm", clear=True)
                | {"target": {"named": "Margins", "role": "box", "index": place}}
                for place, cm in ((1, 2.5), (2, 2.5), (3, margin), (4, margin))
            ),
            click("OK", "button"),
            wait(1000),
        ],
    )


def writer_page_numbers(rng: random.Random) -> Draft:
    """A footer that numbers the pages."""
    texts = sample_paragraphs(rng, 5)
    align = rng.choice(("left", "center", "right"))
    position = {"left": "on the left", "center": "in the centre", "right": "on the right"}[align]
    body = [*texts[:3], {"text": texts[3], "break": True}, texts[4]]
    return edit_document(
        file_name="pages.docx",
        instruction=f'Give every page a footer with the text "Page X of Y" {position}, where X and '
        "Y are fields for the page number and the number of pages. Save the document.",
        before={"body": body},
        after={
            "body": body,
            "footer": [{"text": "Page {page} of {pages}", "align": align}],
            "any": ["margins"],
        },
        api=[
            tool(
                "writer.page_numbers", part="footer", alignment=align, form="Page {page} of {pages}"
            ),
        ],
        gui=[
            click("Insert", "menu"),
            click("Header and Footer", "menu"),
            click("Footer", "menu"),
            click("Default Page Style"),
            wait(700),
            *([] if align == "left" else [key("ctrl", "e" if align == "center" else "r")]),
            type_text("Page "),
            click("Insert", "menu"),
            click("Field", "menu"),
            click("Page Number"),
            type_text(" of "),
            click("Insert", "menu"),
            click("Field", "menu"),
            click("Page Count"),
        ],
    )


def writer_color_word(rng: random.Random) -> Draft:
    """One word in a colour and italic."""
    name, texts = rng.choice(PROJECTS), sample_paragraphs(rng, 2)
    color = rng.choice([name for name in COLORS if name != "yellow"])

    def body(formatting: Json) -> Json:
        runs = [f"{texts[0]} The code word is ", {"text": name, **formatting}, f". {texts[1]}"]
        return {"body": [{"runs": runs}]}

    return edit_document(
        file_name="code.docx",
        instruction=f"Make the code word {name} in the open document italic and {color} "
        f"(#{COLORS[color]}). Save.",
        before=body({}),
        after=body({"italic": True, "color": COLORS[color]}),
        api=[tool("writer.format", pattern=name, italic=True, colour=f"#{COLORS[color]}")],
    )


TEMPLATES = (
    DesktopTemplate(name="writer_bold_name", apps=(WRITER,), sample_draft=writer_bold_name),
    DesktopTemplate(name="writer_title_look", apps=(WRITER,), sample_draft=writer_title_look),
    DesktopTemplate(
        name="writer_heading_styles", apps=(WRITER,), sample_draft=writer_heading_styles
    ),
    DesktopTemplate(name="writer_numbered_list", apps=(WRITER,), sample_draft=writer_numbered_list),
    DesktopTemplate(name="writer_line_spacing", apps=(WRITER,), sample_draft=writer_line_spacing),
    DesktopTemplate(
        name="writer_clear_highlight", apps=(WRITER,), sample_draft=writer_clear_highlight
    ),
    DesktopTemplate(name="writer_subscript", apps=(WRITER,), sample_draft=writer_subscript),
    DesktopTemplate(name="writer_landscape", apps=(WRITER,), sample_draft=writer_landscape),
    DesktopTemplate(name="writer_page_numbers", apps=(WRITER,), sample_draft=writer_page_numbers),
    DesktopTemplate(name="writer_color_word", apps=(WRITER,), sample_draft=writer_color_word),
)
