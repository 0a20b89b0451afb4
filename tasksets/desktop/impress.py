"""Tasks in Impress: slides, their text and their formatting."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tasksets.desktop.actions import click, finish, key, tool, type_into, type_text, wait
from tasksets.desktop.checks import all_of, answer_is, check_file, only_changed
from tasksets.desktop.setup_steps import create_presentation, open_path
from tasksets.desktop.template import DOCUMENTS, IMPRESS, DesktopTemplate, Draft, Json
from tasksets.desktop.vocabulary import (
    CHORES,
    CITIES,
    COLORS,
    ITEMS,
    PEOPLE,
    PROJECTS,
    SENTENCES,
    TOPICS,
)

SAVE = [tool("impress.save"), finish()]
SAVE_BY_KEYS = [key("escape"), key("escape"), key("ctrl", "s"), wait(700), finish()]


def edit_presentation(
    *,
    file_name: str,
    instruction: str,
    before: list[Json],
    after: list[Json],
    api: Sequence[Json],
    gui: Sequence[Json] | None = None,
    free_slides: Sequence[int] = (),
) -> Draft:
    """A task that turns the slides of an open presentation into others; the actions need not save.

    free_slides: numbers of slides that the task adds, whose formatting is not compared.
    """
    path = f"{DOCUMENTS}/{file_name}"
    return Draft(
        instruction=instruction,
        config=[
            create_presentation(path, before),
            open_path(path),
        ],
        evaluator=all_of(
            check_file("presentation_is", path, {"slides": after, "any": list(free_slides)}),
            only_changed(changed=[path]),
        ),
        api=[*api, *SAVE],
        gui=None if gui is None else [*gui, *SAVE_BY_KEYS],
    )


def sample_slides(rng: random.Random, count: int) -> list[Json]:
    """A title slide and `count` slides of a topic and two or three points each."""
    slides: list[Json] = [
        {"title": f"Project {rng.choice(PROJECTS)}", "subtitle": rng.choice(PEOPLE)}
    ]
    for topic in rng.sample(TOPICS, count):
        slides.append({"title": topic, "body": rng.sample(CHORES, rng.randint(2, 3))})
    return slides


def with_slide(slides: list[Json], number: int, **parts: Any) -> list[Json]:
    """A copy of the slides in which one (counted from 1) has other parts."""
    return [slide | parts if n == number else slide for n, slide in enumerate(slides, 1)]


def impress_retitle(rng: random.Random) -> Draft:
    """Another title for one slide."""
    before, number = sample_slides(rng, 4), rng.randint(2, 4)
    new = f"{before[number - 1]['title']} in {rng.choice(CITIES)}"
    return edit_presentation(
        file_name="talk.pptx",
        instruction=f'Change the title of slide {number} to "{new}" and save the presentation.',
        before=before,
        after=with_slide(before, number, title=new),
        api=[tool("impress.set_text", slide=number, shape="title", text=new)],
        gui=[
            *[key("pagedown")] * (number - 1),
            key("tab"),
            key("f2"),
            key("ctrl", "a"),
            type_text(new),
        ],
    )


def impress_notes(rng: random.Random) -> Draft:
    """Notes for the speaker."""
    before, number = sample_slides(rng, 3), rng.randint(2, 4)
    text = rng.choice(SENTENCES)
    return edit_presentation(
        file_name="talk.pptx",
        instruction=f'Add this to the speaker notes of slide {number}: "{text}" Save the '
        "presentation.",
        before=before,
        after=with_slide(before, number, notes=text),
        api=[tool("impress.notes", slide=number, text=text)],
        gui=[
            *[key("pagedown")] * (number - 1),
            click("View", "menu"),
            click("Notes", "menu"),
            wait(700),
            key("tab", repeat=2),
            key("f2"),
            type_text(text),
        ],
    )


def impress_move_slide(rng: random.Random) -> Draft:
    """One slide is moved."""
    before = sample_slides(rng, 5)
    source, target = rng.sample(range(2, 7), 2)
    title = before[source - 1]["title"]
    after = [slide for slide in before if slide["title"] != title]
    after.insert(target - 1, before[source - 1])
    return edit_presentation(
        file_name="talk.pptx",
        instruction=f'Move the slide "{title}" so that it becomes slide {target}. Save the file.',
        before=before,
        after=after,
        api=[tool("impress.move_slide", slide=source, to=target)],
        gui=[
            *[key("pagedown")] * (source - 1),
            *[
                action
                for _ in range(abs(target - source))
                for action in (
                    click("Slide", "menu"),
                    click("Move", "menu"),
                    click("Slide Down" if target > source else "Slide Up", "menu"),
                )
            ],
        ],
    )


def impress_delete_slide(rng: random.Random) -> Draft:
    """The slide with a certain point is deleted."""
    before = sample_slides(rng, 4)
    number = rng.randint(2, 5)
    before = with_slide(before, number, body=[*before[number - 1]["body"], "To be deleted"])
    return edit_presentation(
        file_name="talk.pptx",
        instruction='One slide of the open presentation has the point "To be deleted". Delete that '
        "slide, and save.",
        before=before,
        after=[slide for index, slide in enumerate(before, 1) if index != number],
        api=[
            *(tool("impress.read_slide", slide=index) for index in range(2, number + 1)),
            tool("impress.delete_slide", slide=number),
        ],
        gui=[
            *[key("pagedown")] * (number - 1),
            click("Slide", "menu"),
            click("Delete Slide", "menu"),
        ],
    )


def impress_new_slide(rng: random.Random) -> Draft:
    """A slide is added at the end."""
    before = sample_slides(rng, 3)
    points = rng.sample(ITEMS, 3)
    points_text = ", ".join(points[:-1]) + f" and {points[-1]}"
    return edit_presentation(
        file_name="talk.pptx",
        instruction='Add a slide at the end with the title "Shopping list" and a content box with '
        f"three points: {points_text}. Save the presentation.",
        before=before,
        after=[*before, {"title": "Shopping list", "body": points}],
        api=[
            tool("impress.add_slide", layout="title_content"),
            tool("impress.set_text", slide=5, shape="title", text="Shopping list"),
            tool("impress.set_text", slide=5, shape="content", text="\n".join(points)),
        ],
        free_slides=[5],
    )


def impress_background(rng: random.Random) -> Draft:
    """The background of one slide."""
    before, number = sample_slides(rng, 3), rng.randint(1, 4)
    name, code = rng.choice(list(COLORS.items()))
    return edit_presentation(
        file_name="talk.pptx",
        instruction=f"Give slide {number}, and no other slide, a plain {name} background "
        f"(#{code}). Save.",
        before=before,
        after=with_slide(before, number, background=code),
        api=[tool("impress.background", slide=number, colour=f"#{code}")],
    )


def impress_titles_look(rng: random.Random) -> Draft:
    """All titles bold and in one colour."""
    before = sample_slides(rng, rng.randint(2, 4))
    name, code = rng.choice(list(COLORS.items()))
    after = [
        slide | {"title": {"text": slide["title"], "bold": True, "color": code}} for slide in before
    ]
    return edit_presentation(
        file_name="talk.pptx",
        instruction=f"Make the titles of all slides bold and {name} (#{code}); leave the other "
        "text as it is. Save the presentation.",
        before=before,
        after=after,
        api=[
            tool("impress.format", slide=number, shape="title", bold=True, colour=f"#{code}")
            for number in range(1, len(before) + 1)
        ],
    )


def impress_replace(rng: random.Random) -> Draft:
    """A word replaced on all slides."""
    old, new = rng.sample(CITIES, 2)
    before = sample_slides(rng, 3)
    before = with_slide(before, 2, body=[f"Visit {old}", *before[1]["body"]])
    before = with_slide(before, 4, body=[*before[3]["body"], f"From {old} by train"])

    def rename_city(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(old, new)
        if isinstance(value, list):
            return [rename_city(item) for item in value]
        return {name: rename_city(item) for name, item in value.items()}

    return edit_presentation(
        file_name="talk.pptx",
        instruction=f"The meeting is in {new}, not in {old}: correct the name of the city on all "
        "slides of the presentation and save it.",
        before=before,
        after=rename_city(before),
        api=[tool("impress.find_replace", find=old, replace=new)],
        gui=[
            key("ctrl", "h"),
            wait(1000),
            {"type": "window", "op": "focus", "window": "Find and Replace"},
            type_into("Search For", old),
            type_into("Replace With", new),
            click("Replace All", "button"),
            wait(1000),
            {"type": "window", "op": "close", "window": "Find and Replace"},
        ],
    )


def impress_align_box(rng: random.Random) -> Draft:
    """A box moved to an exact place and filled."""
    name, code = rng.choice(list(COLORS.items()))
    x, y = rng.choice((2.0, 5.0, 8.0)), rng.choice((6.0, 8.0, 10.0))
    label = rng.choice(TOPICS)
    other = {"kind": "ellipse", "text": "Start", "at": [17, 13, 6, 3], "fill": "DDDDDD"}

    def slides(formatting: Json) -> list[Json]:
        box = {"kind": "rect", "text": label, "at": [3, 12, 9, 2.5], "fill": "EEEEEE"} | formatting
        return [{"title": "Overview", "shapes": [box, other]}]

    return edit_presentation(
        file_name="chart.pptx",
        instruction=f'On the slide, move the rectangle that says "{label}" so that its upper left '
        f"corner is {x:g} cm from the left and {y:g} cm from the top, keeping its size, and fill "
        f"it with {name} (#{code}). Save.",
        before=slides({}),
        after=slides({"at": [x, y, 9, 2.5], "fill": code}),
        api=[
            tool("impress.place_shape", slide=1, shape=2, x_cm=x, y_cm=y),
            tool("impress.paint_shape", slide=1, shape=2, fill=f"#{code}"),
        ],
    )


def impress_who_speaks(rng: random.Random) -> Draft:
    """A question whose answer is in a slide's notes."""
    slides = sample_slides(rng, 4)
    people = rng.sample(PEOPLE, 4)
    slides = [slides[0]] + [
        slide | {"notes": f"{person} speaks."}
        for slide, person in zip(slides[1:], people, strict=True)
    ]
    number = rng.randint(2, 5)
    path = f"{DOCUMENTS}/talk.pptx"
    return Draft(
        instruction=f'Who speaks about "{slides[number - 1]["title"]}" according to the speaker '
        "notes of talk.pptx? Answer with the name. Change nothing.",
        config=[
            create_presentation(path, slides),
            open_path(path),
        ],
        evaluator=all_of(answer_is(people[number - 2]), only_changed()),
        api=[tool("impress.read_slide", slide=number), finish(people[number - 2])],
        gui=[
            *[key("pagedown")] * (number - 1),
            click("View", "menu"),
            click("Notes", "menu"),
            finish(people[number - 2]),
        ],
    )


def impress_table_cell(rng: random.Random) -> Draft:
    """One number of a table."""
    items = rng.sample(ITEMS, 4)
    rows = [["Item", "Pieces"], *([item, str(rng.randint(2, 99))] for item in items)]
    row, author = rng.randint(1, 4), rng.choice(PEOPLE)
    new = str(rng.randint(100, 250))

    def slides(text: str) -> list[Json]:
        table = [[*line] for line in rows]
        table[row][1] = text
        return [
            {"title": "Stock", "subtitle": author},
            {"title": "Pieces in stock", "shapes": [{"table": table, "at": [3, 5, 18, 8]}]},
        ]

    return edit_presentation(
        file_name="stock.pptx",
        instruction=f"In the table on slide 2, change the number of pieces of {items[row - 1]} to "
        f"{new}. Save the presentation.",
        before=slides(rows[row][1]),
        after=slides(new),
        api=[tool("impress.set_table_cell", slide=2, row=row + 1, column=2, text=new)],
        gui=[
            key("pagedown"),
            key("tab", repeat=2),
            key("f2"),
            key("tab", repeat=2 * row + 1),
            key("ctrl", "a"),
            type_text(new),
        ],
    )


TEMPLATES = (
    DesktopTemplate(name="impress_retitle", apps=(IMPRESS,), sample_draft=impress_retitle),
    DesktopTemplate(name="impress_notes", apps=(IMPRESS,), sample_draft=impress_notes),
    DesktopTemplate(name="impress_move_slide", apps=(IMPRESS,), sample_draft=impress_move_slide),
    DesktopTemplate(
        name="impress_delete_slide", apps=(IMPRESS,), sample_draft=impress_delete_slide
    ),
    DesktopTemplate(name="impress_new_slide", apps=(IMPRESS,), sample_draft=impress_new_slide),
    DesktopTemplate(name="impress_background", apps=(IMPRESS,), sample_draft=impress_background),
    DesktopTemplate(name="impress_titles_look", apps=(IMPRESS,), sample_draft=impress_titles_look),
    DesktopTemplate(name="impress_replace", apps=(IMPRESS,), sample_draft=impress_replace),
    DesktopTemplate(name="impress_align_box", apps=(IMPRESS,), sample_draft=impress_align_box),
    DesktopTemplate(name="impress_who_speaks", apps=(IMPRESS,), sample_draft=impress_who_speaks),
    DesktopTemplate(name="impress_table_cell", apps=(IMPRESS,), sample_draft=impress_table_cell),
)
