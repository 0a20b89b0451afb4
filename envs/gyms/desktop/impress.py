"""Tasks in Impress."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from envs.gyms.desktop.prose import COLORS, PROJECTS, SENTENCES, TASKS, TOPICS
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

APP = "libreoffice_impress"
SAVE = [tool("impress.save"), done()]
SAVE_BY_KEYS = [key("escape"), key("escape"), key("ctrl", "s"), done()]


def in_impress(
    name: str,
    instruction: str,
    before: list[Json],
    after: list[Json],
    api: Sequence[Json],
    gui: Sequence[Json] | None = None,
    loose: Sequence[int] = (),
) -> Draft:
    """A task that turns the slides of an open presentation into others; the actions need not save.
    `loose`: numbers of slides that may look as the program likes, because the task adds them."""
    path = f"{DOCUMENTS}/{name}"
    return Draft(
        instruction=instruction,
        config=[
            {"type": "presentation", "parameters": {"path": path, "slides": before}},
            {"type": "open", "parameters": {"path": path}},
        ],
        evaluator=both(
            check("presentation_is", path, {"slides": after, "any": list(loose)}),
            nothing_else(changed=[path]),
        ),
        api=[*api, *SAVE],
        gui=None if gui is None else [*gui, *SAVE_BY_KEYS],
    )


def talk(rng: random.Random, count: int) -> list[Json]:
    """A title slide and `count` slides of a topic and two or three points each."""
    slides: list[Json] = [
        {"title": f"Project {rng.choice(PROJECTS)}", "subtitle": rng.choice(PEOPLE)}
    ]
    for topic in rng.sample(TOPICS, count):
        slides.append({"title": topic, "body": rng.sample(TASKS, rng.randint(2, 3))})
    return slides


def changed(slides: list[Json], number: int, **parts: Any) -> list[Json]:
    """The slides with other parts in one of them (counted from 1)."""
    return [slide | parts if n == number else slide for n, slide in enumerate(slides, 1)]


@template(APP)
def impress_retitle(rng: random.Random) -> Draft:
    """Another title for one slide."""
    before, number = talk(rng, 4), rng.randint(2, 4)
    new = f"{before[number - 1]['title']} in {rng.choice(CITIES)}"
    return in_impress(
        "talk.pptx",
        f'Change the title of slide {number} to "{new}" and save the presentation.',
        before,
        changed(before, number, title=new),
        [tool("impress.set_text", slide=number, shape="title", text=new)],
        [
            *[key("pagedown")] * (number - 1),
            key("tab"),
            key("f2"),
            key("ctrl", "a"),
            typed(new),
        ],
    )


@template(APP)
def impress_notes(rng: random.Random) -> Draft:
    """Notes for the speaker."""
    before, number = talk(rng, 3), rng.randint(2, 4)
    text = rng.choice(SENTENCES)
    return in_impress(
        "talk.pptx",
        f'Add this to the speaker notes of slide {number}: "{text}" Save the presentation.',
        before,
        changed(before, number, notes=text),
        [tool("impress.notes", slide=number, text=text)],
    )


@template(APP)
def impress_move_slide(rng: random.Random) -> Draft:
    """One slide to another place."""
    before = talk(rng, 5)
    source, target = rng.sample(range(2, 7), 2)
    title = before[source - 1]["title"]
    after = [slide for slide in before if slide["title"] != title]
    after.insert(target - 1, before[source - 1])
    return in_impress(
        "talk.pptx",
        f'Move the slide "{title}" so that it becomes slide {target}. Save the file.',
        before,
        after,
        [tool("impress.move_slide", slide=source, to=target)],
    )


@template(APP)
def impress_delete_slide(rng: random.Random) -> Draft:
    """One slide goes, found by what it says."""
    before = talk(rng, 4)
    number = rng.randint(2, 5)
    before = changed(before, number, body=[*before[number - 1]["body"], "To be deleted"])
    return in_impress(
        "talk.pptx",
        'One slide of the open presentation has the point "To be deleted". Delete that slide, and '
        "save.",
        before,
        [slide for index, slide in enumerate(before, 1) if index != number],
        [
            *(tool("impress.read_slide", slide=index) for index in range(2, number + 1)),
            tool("impress.delete_slide", slide=number),
        ],
        [
            *[key("pagedown")] * (number - 1),
            click("Slide", "menu"),
            click("Delete Slide", "menu"),
        ],
    )


@template(APP)
def impress_new_slide(rng: random.Random) -> Draft:
    """A slide more at the end."""
    before = talk(rng, 3)
    points = rng.sample(ITEMS, 3)
    listed = ", ".join(points[:-1]) + f" and {points[-1]}"
    return in_impress(
        "talk.pptx",
        f'Add a slide at the end with the title "Shopping list" and a content box with three '
        f"points: {listed}. Save the presentation.",
        before,
        [*before, {"title": "Shopping list", "body": points}],
        [
            tool("impress.add_slide", layout="title_content"),
            tool("impress.set_text", slide=5, shape="title", text="Shopping list"),
            tool("impress.set_text", slide=5, shape="content", text="\n".join(points)),
        ],
        loose=[5],
    )


@template(APP)
def impress_background(rng: random.Random) -> Draft:
    """The background of one slide."""
    before, number = talk(rng, 3), rng.randint(1, 4)
    name, code = rng.choice(list(COLORS.items()))
    return in_impress(
        "talk.pptx",
        f"Give slide {number}, and no other slide, a plain {name} background (#{code}). Save.",
        before,
        changed(before, number, background=code),
        [tool("impress.background", slide=number, colour=f"#{code}")],
    )


@template(APP)
def impress_titles_look(rng: random.Random) -> Draft:
    """All titles in bold and one colour."""
    before = talk(rng, rng.randint(2, 4))
    name, code = rng.choice(list(COLORS.items()))
    after = [
        slide | {"title": {"text": slide["title"], "bold": True, "color": code}} for slide in before
    ]
    return in_impress(
        "talk.pptx",
        f"Make the titles of all slides bold and {name} (#{code}); leave the other text as it is. "
        "Save the presentation.",
        before,
        after,
        [
            tool("impress.format", slide=number, shape="title", bold=True, colour=f"#{code}")
            for number in range(1, len(before) + 1)
        ],
    )


@template(APP)
def impress_replace(rng: random.Random) -> Draft:
    """One word becomes another on all slides."""
    old, new = rng.sample(CITIES, 2)
    before = talk(rng, 3)
    before = changed(before, 2, body=[f"Visit {old}", *before[1]["body"]])
    before = changed(before, 4, body=[*before[3]["body"], f"From {old} by train"])

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(old, new)
        if isinstance(value, list):
            return [renamed(one) for one in value]
        return {key: renamed(one) for key, one in value.items()}

    return in_impress(
        "talk.pptx",
        f"The meeting is in {new}, not in {old}: correct the name of the city on all slides of "
        "the presentation and save it.",
        before,
        renamed(before),
        [tool("impress.find_replace", find=old, replace=new)],
    )


@template(APP)
def impress_align_box(rng: random.Random) -> Draft:
    """A box to an exact place, and filled."""
    name, code = rng.choice(list(COLORS.items()))
    x, y = rng.choice((2.0, 5.0, 8.0)), rng.choice((6.0, 8.0, 10.0))
    label = rng.choice(TOPICS)
    other = {"kind": "ellipse", "text": "Start", "at": [17, 13, 6, 3], "fill": "DDDDDD"}

    def slides(look: Json) -> list[Json]:
        box = {"kind": "rect", "text": label, "at": [3, 12, 9, 2.5], "fill": "EEEEEE"} | look
        return [{"title": "Overview", "shapes": [box, other]}]

    return in_impress(
        "chart.pptx",
        f'On the slide, move the rectangle that says "{label}" so that its upper left corner is '
        f"{x:g} cm from the left and {y:g} cm from the top, keeping its size, and fill it with "
        f"{name} (#{code}). Save.",
        slides({}),
        slides({"at": [x, y, 9, 2.5], "fill": code}),
        [
            tool("impress.place_shape", slide=1, shape=2, x_cm=x, y_cm=y),
            tool("impress.paint_shape", slide=1, shape=2, fill=f"#{code}"),
        ],
    )


@template(APP)
def impress_who_speaks(rng: random.Random) -> Draft:
    """A question that a slide answers."""
    slides = talk(rng, 4)
    people = rng.sample(PEOPLE, 4)
    slides = [slides[0]] + [
        slide | {"notes": f"{who} speaks."} for slide, who in zip(slides[1:], people, strict=True)
    ]
    number = rng.randint(2, 5)
    path = f"{DOCUMENTS}/talk.pptx"
    return Draft(
        instruction=f'Who speaks about "{slides[number - 1]["title"]}" according to the speaker '
        "notes of talk.pptx? Answer with the name. Change nothing.",
        config=[
            {"type": "presentation", "parameters": {"path": path, "slides": slides}},
            {"type": "open", "parameters": {"path": path}},
        ],
        evaluator=both(said(people[number - 2]), nothing_else()),
        api=[tool("impress.read_slide", slide=number), done(people[number - 2])],
    )


@template(APP)
def impress_table_cell(rng: random.Random) -> Draft:
    """One number of a table."""
    items = rng.sample(ITEMS, 4)
    rows = [["Item", "Pieces"], *([item, str(rng.randint(2, 99))] for item in items)]
    row, who = rng.randint(1, 4), rng.choice(PEOPLE)
    new = str(rng.randint(100, 250))

    def slides(text: str) -> list[Json]:
        table = [[*line] for line in rows]
        table[row][1] = text
        return [
            {"title": "Stock", "subtitle": who},
            {"title": "Pieces in stock", "shapes": [{"table": table, "at": [3, 5, 18, 8]}]},
        ]

    return in_impress(
        "stock.pptx",
        f"In the table on slide 2, change the number of pieces of {items[row - 1]} to {new}. "
        "Save the presentation.",
        slides(rows[row][1]),
        slides(new),
        [tool("impress.set_table_cell", slide=2, row=row + 1, column=2, text=new)],
    )
