"""Presentations of OfficeWorld tasks, made: what they start from, and what is right at the end."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from envs.osworld.format.makers.presentations import presentation_bytes
from envs.osworld.format.makers.stable_zip import without_timestamps
from envs.osworld.format.makers.workbooks import workbook_bytes
from tasksets.solutions.inputs.office_world_documents import picture

Slides = list[dict[str, Any]]
STEPS = [["Step", "What"], ["1", "Look"], ["2", "Plan"], ["3", "Act"]]
LAST_STEP = ["to be", "more"]
BLANK = [[""] * 5 for _ in range(3)]


def make_slides(count: int, **more: Mapping[str, Any]) -> Slides:
    """Slides with titles; `more`: of slide `s<number>`."""
    return [{"title": f"Part {n}", **more.get(f"s{n}", {})} for n in range(1, count + 1)]


def text_box(text: str, y_cm: float = 8.0) -> dict[str, Any]:
    """A shape of a slide."""
    return {"kind": "text", "text": text, "at": [2, y_cm, 8, 1.5]}


def table(rows: Sequence[Sequence[str]]) -> dict[str, Any]:
    """A table of a slide."""
    return {"table": rows, "at": [2, 6, 20, 5]}


def pptx_bytes(slides: Slides, picture_on: int = 0) -> bytes:
    """A .pptx file; with a picture on slide `picture_on`."""
    plain = presentation_bytes({"slides": slides})
    if not picture_on:
        return plain
    from pptx import Presentation
    from pptx.util import Cm

    presentation: Any = Presentation(io.BytesIO(plain))
    shapes = presentation.slides[picture_on - 1].shapes
    shapes.add_picture(io.BytesIO(picture()), Cm(2), Cm(8))
    out = io.BytesIO()
    presentation.save(out)
    return without_timestamps(out.getvalue())


POLLUTION = make_slides(4, s4={"shapes": [text_box("Stay clean"), text_box("Follow me", 11)]})
MASTER = [*POLLUTION[:2], {"title": "MASTER"}, POLLUTION[3]]
MOTION = make_slides(4)
ANIMATION: Slides = [
    {"title": "ANIMATION"},
    *make_slides(3)[1:],
    {"title": "Part 4", "shapes": [text_box("Introduction")]},
]
MOVED: Slides = [
    ANIMATION[0],
    {**ANIMATION[1], "shapes": [text_box("Introduction")]},
    ANIMATION[2],
    {"title": "Part 4"},
]
SWOT = [["S", "Rich"], ["W", "Slow"], ["O", "New land"], ["T", "Rain"]]
GOAL = make_slides(3, s3={"shapes": [table(SWOT)]})
NUMBERS = [text_box("1", 12), text_box("Look", 13.5), text_box("2", 15), text_box("Plan", 16.5)]
PEOPLE: Slides = [
    {"title": "Presentation 2024"},
    {"title": "People"},
    {"title": "Steps", "shapes": NUMBERS},
]


def people(*rows: Sequence[str], on: int = 3, year: str = "2024", gone: str = "") -> Slides:
    """The slides with a table on one of them, of another year, or without a text box."""
    kept = [shape for shape in NUMBERS if shape["text"] != gone]
    cover, middle, last = PEOPLE
    slides = [{**cover, "title": f"Presentation {year}"}, middle, {**last, "shapes": kept}]
    changed = slides[on - 1]
    slides[on - 1] = {**changed, "shapes": [*changed.get("shapes", ()), table(rows)]}
    return slides


MOTHER = make_slides(21)
DETAILS = make_slides(21, s18={"shapes": [text_box("Details to follow")]})
LESSONS: Slides = [
    {"title": "Education", "subtitle": "For all", "shapes": [text_box("2024", 14)]},
    {"title": "Why"},
]
EDUCATION = make_slides(12)
MINIMALIST = make_slides(14)
WINTER = make_slides(3)

_SLIDES: dict[str, tuple[Slides, int]] = {
    "Pollution_short": (POLLUTION, 0),
    "Pollution_short_title": (MASTER, 0),
    "Pollution_short_title_fix": (
        [*MASTER[:3], {**POLLUTION[3], "shapes": POLLUTION[3]["shapes"][:1]}],
        0,
    ),
    "Minimalist": (MINIMALIST, 0),
    "Minimalist_move": ([*MINIMALIST[:11], *MINIMALIST[12:], MINIMALIST[11]], 0),
    "Minimalist_short": (make_slides(3), 0),
    "Minimalist_short_add": (make_slides(3), 3),
    "Motion": (MOTION, 0),
    "Motion_add": ([*MOTION[:2], {}, *MOTION[2:]], 0),
    "Motion_add_fix": ([*MOTION[:2], {"shapes": [table(BLANK)]}, *MOTION[2:]], 0),
    "Motion_short": (ANIMATION, 0),
    "Motion_short_move": (MOVED, 0),
    "Motion_short_move_fix": ([{"title": "OTHERS"}, *MOVED[1:]], 0),
    "Goal": (GOAL, 0),
    "Goal_del": ([GOAL[0], {}, GOAL[2]], 0),
    "Goal_del_fix": (
        [{}, GOAL[1], {**GOAL[2], "shapes": [table([["S", "Very wealthy"], *SWOT[1:]])]}],
        0,
    ),
    "People_short": (PEOPLE, 0),
    "People_short_add": (people(*STEPS), 0),
    "People_short_add_fix": (people(*STEPS, year="2025"), 0),
    "People_short_move": (people(*STEPS, on=1), 0),
    "People_short_move_fix": (people(*STEPS, on=1, gone="Plan"), 0),
    "People_short_mvrow": (people(*STEPS[:-1]), 0),
    "People_short_mvrow_fix": (people(*STEPS[:-1], LAST_STEP), 0),
    "Mother": (MOTHER, 0),
    "Mother_add": (DETAILS, 0),
    "Mother_add_fix": (DETAILS[:18], 0),
    "Eduction_short": (LESSONS, 0),
    "Eduction_short_del": ([{}, LESSONS[1]], 0),
    "Eduction_short_del_fix": ([LESSONS[1], {}], 0),
    "Eduction": (EDUCATION, 0),
    "Eduction_del": (EDUCATION[:10], 0),
    "Eduction_del_fix": ([EDUCATION[0], {"title": "GOGOGO"}, *EDUCATION[2:10]], 0),
    "Winter_short": (WINTER, 2),
    "Winter_short_del": (WINTER, 0),
    "Winter_short_del_fix": ([*WINTER, {}], 0),
}

OFFICE_WORLD_SLIDES: dict[str, Callable[[], bytes]] = {
    **{f"/{name}.pptx": partial(pptx_bytes, *made) for name, made in _SLIDES.items()},
    "/step.xlsx": partial(workbook_bytes, {"Sheet1": STEPS}),
}
