"""Tasks in Writer: how text looks."""

from __future__ import annotations

import random
from typing import Any

from envs.gyms.desktop.prose import COLORS, PROJECTS, TASKS, TOPICS, paragraphs
from envs.gyms.desktop.template import Draft, Json, click, key, template, tool
from envs.gyms.desktop.words import CITIES, PEOPLE
from envs.gyms.desktop.writer import again, in_writer, paragraph_keys


@template("libreoffice_writer")
def writer_bold_name(rng: random.Random) -> Draft:
    """Every occurrence of a name in bold."""
    name, texts = rng.choice(PEOPLE), paragraphs(rng, 3)
    runs = [
        ["Ask ", name, f" about this. {texts[0]}"],
        [texts[1]],
        [f"{texts[2]} Thanks to ", name],
    ]

    def body(look: Json) -> Json:
        return {
            "body": [
                {"runs": [{"text": run, **(look if run == name else {})} for run in line]}
                for line in runs
            ]
        }

    return in_writer(
        "note.docx",
        f"Make the name {name} bold wherever it occurs in the document, and nothing else. Save.",
        body({}),
        body({"bold": True}),
        [tool("writer.format", pattern=name, bold=True)],
        [
            key("ctrl", "h"),
            {"type": "type", "target": {"named": "Search For", "role": "box"}, "text": name},
            click("Find All", "button"),
            click("Close", "button"),
            key("ctrl", "b"),
        ],
    )


@template("libreoffice_writer")
def writer_title_look(rng: random.Random) -> Draft:
    """The first line centred and bold."""
    city, texts = rng.choice(CITIES), paragraphs(rng, 3)
    line = f"Welcome to {city}"
    return in_writer(
        "welcome.docx",
        f'Centre the first line, "{line}", and make it bold. Then save the document.',
        {"body": [line, *texts]},
        {"body": [{"text": line, "bold": True, "align": "center"}, *texts]},
        [
            tool("writer.format", paragraph=1, bold=True),
            tool("writer.paragraph_format", paragraph=1, alignment="center"),
        ],
        [*paragraph_keys(1), key("shift", "end"), key("ctrl", "b"), key("ctrl", "e")],
    )


@template("libreoffice_writer")
def writer_heading_styles(rng: random.Random) -> Draft:
    """Lines that name topics become headings by style."""
    topics, texts = rng.sample(TOPICS, 3), paragraphs(rng, 3)

    def body(looks: Json) -> Json:
        blocks: list[Any] = [{"text": "Yearly review", "style": "Title"}]
        for topic, text in zip(topics, texts, strict=True):
            blocks += [{"text": topic, **looks}, text]
        return {"body": blocks}

    gui: list[Json] = []
    for number in (2, 4, 6):
        gui += [*paragraph_keys(number), key("ctrl", "1")]
    return in_writer(
        "review.docx",
        f"In review.docx, give the lines {topics[0]}, {topics[1]} and {topics[2]} the paragraph "
        "style Heading 1. Save the file.",
        body({}),
        body({"style": "Heading 1"}),
        [tool("writer.apply_style", style="Heading 1", paragraph=number) for number in (2, 4, 6)],
        gui,
    )


@template("libreoffice_writer")
def writer_numbered_list(rng: random.Random) -> Draft:
    """Some lines become a numbered list."""
    todo, texts = rng.sample(TASKS, rng.randint(3, 6)), paragraphs(rng, 2)
    return in_writer(
        "steps.docx",
        f'Make the {len(todo)} lines from "{todo[0]}" to "{todo[-1]}" a numbered list '
        "(1., 2., 3. ...) and save.",
        {"body": [texts[0], *todo, texts[1]]},
        {"body": [texts[0], *({"text": one, "list": "number"} for one in todo), texts[1]]},
        [tool("writer.list", kind="number", paragraph=2, last_paragraph=len(todo) + 1)],
        [
            *paragraph_keys(2),
            again(len(todo), "ctrl", "shift", "down"),
            key("f12"),
        ],
    )


@template("libreoffice_writer")
def writer_line_spacing(rng: random.Random) -> Draft:
    """Another line spacing of all paragraphs but the title."""
    lines, words = rng.choice(((2.0, "double"), (1.5, "1.5 lines")))
    texts = paragraphs(rng, rng.randint(3, 5))
    title = {"text": rng.choice(PROJECTS), "style": "Title"}
    return in_writer(
        "essay.docx",
        f"Set the line spacing of every paragraph below the title to {words}. Save the document.",
        {"body": [title, *texts]},
        {"body": [title, *({"text": text, "spacing": lines} for text in texts)]},
        [
            tool("writer.paragraph_format", paragraph=2, last_paragraph=len(texts) + 1,
                 line_spacing=lines),
        ],
    )  # fmt: skip


@template("libreoffice_writer")
def writer_clear_highlight(rng: random.Random) -> Draft:
    """The highlighting of one colour goes, that of another stays."""
    marks, texts = rng.sample(TASKS, 4), paragraphs(rng, 2)
    gone, kept = rng.sample([("yellow", "FFFF00"), ("cyan", "00FFFF"), ("pink", "FFC0CB")], 2)

    def body(colors: list[str | None]) -> Json:
        runs = [
            {"text": text, **({"highlight": color} if color else {})}
            for text, color in zip(marks, colors, strict=True)
        ]
        return {"body": [{"runs": [texts[0], *runs[:2]]}, {"runs": [*runs[2:], texts[1]]}]}

    order = [gone[1], kept[1], kept[1], gone[1]]
    rng.shuffle(order)
    return in_writer(
        "draft.docx",
        f"Some words are highlighted in {gone[0]} and others in {kept[0]} ({gone[0]} is "
        f"#{gone[1]}). Remove the {gone[0]} highlighting only, keep the words, and save.",
        body(list(order)),
        body([None if color == gone[1] else color for color in order]),
        [tool("writer.clear_highlight", colour=f"#{gone[1]}")],
    )


@template("libreoffice_writer")
def writer_subscript(rng: random.Random) -> Draft:
    """The digit of a formula below the line."""
    before, after = rng.choice((("CO", ""), ("H", "O"), ("N", "O"), ("SO", "")))
    texts = paragraphs(rng, 2)

    def line(look: Json) -> Json:
        runs = [f"{texts[0]} The sensor for {before}", {"text": "2", **look}, f"{after} works."]
        return {"body": [{"runs": runs}, f"{texts[1]} 2 more are on order."]}

    return in_writer(
        "sensor.docx",
        f"In sensor.docx, make the 2 in {before}2{after} subscript. Save the file.",
        line({}),
        line({"script": "sub"}),
        [tool("writer.format", pattern=f"(?<={before})2", script="sub")],
    )


@template("libreoffice_writer")
def writer_landscape(rng: random.Random) -> Draft:
    """Pages turned, with a margin."""
    margin, texts = rng.choice((1.5, 2.0, 3.0)), paragraphs(rng, 4)
    page = {"width": 21.0, "height": 29.7, "top": 2.5, "bottom": 2.5, "left": 2.5, "right": 2.5}
    turned = page | {"width": 29.7, "height": 21.0, "left": margin, "right": margin}
    return in_writer(
        "wide.docx",
        f"Turn the pages of the document to landscape and set the left and right margins to "
        f"{margin:g} cm. Keep the top and bottom margins at 2.5 cm. Save.",
        {"body": texts, "page": page},
        {"body": texts, "page": turned},
        [tool("writer.page_setup", orientation="landscape", left_cm=margin, right_cm=margin,
              top_cm=2.5, bottom_cm=2.5)],
    )  # fmt: skip


@template("libreoffice_writer")
def writer_page_numbers(rng: random.Random) -> Draft:
    """A footer that numbers the pages."""
    texts = paragraphs(rng, 5)
    align = rng.choice(("left", "center", "right"))
    words = {"left": "on the left", "center": "in the centre", "right": "on the right"}[align]
    body = [*texts[:3], {"text": texts[3], "break": True}, texts[4]]
    return in_writer(
        "pages.docx",
        f'Give every page a footer with the text "Page X of Y" {words}, where X and Y are fields '
        "for the page number and the number of pages. Save the document.",
        {"body": body},
        {
            "body": body,
            "footer": [{"text": "Page {page} of {pages}", "align": align}],
            "any": ["margins"],
        },
        [
            tool("writer.page_numbers", part="footer", alignment=align,
                 form="Page {page} of {pages}"),
        ],
    )  # fmt: skip


@template("libreoffice_writer")
def writer_color_word(rng: random.Random) -> Draft:
    """One word in a colour and italic."""
    name, texts = rng.choice(PROJECTS), paragraphs(rng, 2)
    color = rng.choice([one for one in COLORS if one != "yellow"])

    def body(look: Json) -> Json:
        runs = [f"{texts[0]} The code word is ", {"text": name, **look}, f". {texts[1]}"]
        return {"body": [{"runs": runs}]}

    return in_writer(
        "code.docx",
        f"Make the code word {name} in the open document italic and {color} "
        f"(#{COLORS[color]}). Save.",
        body({}),
        body({"italic": True, "color": COLORS[color]}),
        [tool("writer.format", pattern=name, italic=True, colour=f"#{COLORS[color]}")],
    )
