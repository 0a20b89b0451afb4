"""Solutions of OfficeWorld's tasks on an open text document or presentation, which they save."""

from __future__ import annotations

from collections.abc import Sequence

from tasksets.desktop.actions import finish, tool
from tasksets.desktop.template import HOME, Json
from tasksets.solutions.inputs.office_world_documents import (
    BILINGUALISM,
    FIRST_NEWLYWEDS,
    GENOMICS,
    HEADING,
    HEART,
    POLITENESS,
    PSYCHOLOGY,
    RATES,
    TEXT,
    WEDDING,
    WOMEN,
    WOMEN_IMAGE,
    Block,
    section,
)
from tasksets.solutions.inputs.office_world_slides import BLANK, LAST_STEP, STEPS

DESKTOP = f"{HOME}/Desktop"
_LAST_TABLE = tool("writer.delete_table")


def _write(*steps: Json) -> list[Json]:
    return [*steps, tool("writer.save"), finish()]


def _present(*steps: Json) -> list[Json]:
    return [*steps, tool("impress.save"), finish()]


def _number(blocks: Sequence[Block], block: Block) -> int:
    """The number of a paragraph, as the tools count them."""
    return blocks.index(block) + 1


def _replace(blocks: Sequence[Block], old: str, new: str) -> Json:
    number = _number(blocks, (TEXT, old))
    return tool("writer.replace_paragraph", paragraph=number, text=new)


def _delete(blocks: Sequence[Block], heading: str) -> Json:
    place = section(blocks, heading)
    return tool("writer.delete_paragraph", paragraph=place.start + 1, last_paragraph=place.stop)


def _append(blocks: Sequence[Block], heading: str) -> list[Json]:
    """A section once more, at the end."""
    parts = blocks[section(blocks, heading)]
    styles = {HEADING: "Heading 1", TEXT: "Standard"}
    return [
        tool("writer.insert_text", text=text, style=styles[kind], after_paragraph=len(blocks) + n)
        for n, (kind, text) in enumerate(parts)
    ]


def _exchange(blocks: Sequence[Block], first: str, second: str) -> list[Json]:
    """Sections of a heading and a paragraph each: their texts."""
    above, below = section(blocks, first), section(blocks, second)
    pairs = [*zip(range(*above.indices(99)), blocks[below], strict=True)]
    pairs += [*zip(range(*below.indices(99)), blocks[above], strict=True)]
    return [
        tool("writer.replace_paragraph", paragraph=index + 1, text=text)
        for index, (_, text) in pairs
    ]


def _break_sections(blocks: Sequence[Block]) -> list[Json]:
    """From the end, so that the numbers of the paragraphs before stay."""
    headings = [n for n, (kind, _) in enumerate(blocks, 1) if kind == HEADING][1:]
    return [tool("writer.page_break", before_paragraph=number) for number in reversed(headings)]


def _insert_table(after: int | None = None) -> Json:
    if after is None:
        return tool("writer.insert_table", rows=RATES, where="end")
    return tool("writer.insert_table", rows=RATES, after_paragraph=after)


def _comment(text: str, word: str) -> Json:
    return tool("writer.comment", text=text, pattern=word)


def _picture(name: str, after: int) -> Json:
    return tool("writer.insert_image", path=f"{DESKTOP}/{name}.png", after_paragraph=after)


_CONCLUSION = _number(POLITENESS, (HEADING, "Conclusion"))
_NO_TITLE = tool("writer.delete_paragraph", paragraph=1)
_NO_PICTURE = tool("writer.delete_paragraph", paragraph=WOMEN_IMAGE.index(("picture", None)) + 1)
_AFTER_INTRODUCTION = _number(POLITENESS, (HEADING, "Introduction"))
_NEWLYWEDS = tool("writer.find_replace", find="couples", replace="newlyweds")
_EXP1 = [_LAST_TABLE, _picture("exp1", _CONCLUSION - 1)]

DOCUMENTS: dict[str, Sequence[Json]] = {
    "ow-docx-0-4": _write(_comment("Why is this expression used?", "heart")),
    "ow-docx-0-6": _write(_picture("farmer", section(WOMEN, "Introduction").stop)),
    "ow-docx-0-7": _write(_NO_PICTURE),
    "ow-docx-0-8": _write(_insert_table()),
    "ow-docx-0-9": _write(_LAST_TABLE),
    "ow-docx-0-12": _write(*_break_sections(WEDDING)),
    "ow-docx-0-18": _write(tool("writer.delete_table_rows", row=len(RATES))),
    "ow-docx-0-19": _write(_LAST_TABLE, _insert_table(_AFTER_INTRODUCTION)),
    "ow-docx-0-22": _write(tool("writer.find_replace", find="essential", replace="crucial")),
    "ow-docx-0-23": _write(tool("writer.replace_paragraph", paragraph=1, text="FOOD")),
    "ow-docx-0-24": _write(
        *_exchange(BILINGUALISM, "Definitions and Scope", "Educational Implications")
    ),
    "ow-docx-0-25": _write(
        *_append(BILINGUALISM, "Challenges Associated with Bilingualism"),
        _delete(BILINGUALISM, "Challenges Associated with Bilingualism"),
    ),
    "ow-docx-0-26": _write(
        _replace(
            BILINGUALISM,
            "Two are better than one. This is shown by many studies.",
            "This is shown by many studies. Two are better than one.",
        )
    ),
    "ow-docx-0-27": _write(
        _replace(
            GENOMICS,
            "Reading is cheap. Storing is not. Both get cheaper.",
            "Reading is cheap. Both get cheaper.",
        )
    ),
    "ow-docx-0-28": _write(_delete(GENOMICS, "The Impact of Genomics on Healthcare")),
    "ow-docx-0-29": _write(_NO_TITLE),
    "ow-docx-1-0": _write(
        *_exchange(POLITENESS, "Politeness in English", "Politeness in Spanish"), _insert_table()
    ),
    "ow-docx-1-1": _write(
        _NO_PICTURE, *_append(WOMEN, "Introduction"), _delete(WOMEN, "Introduction")
    ),
    "ow-docx-1-5": _write(_comment(HEART, "heart"), _NO_TITLE),
    "ow-docx-1-6": _write(*_break_sections(WEDDING), _NEWLYWEDS),
    "ow-docx-1-7": _write(*_EXP1),
    "ow-docx-1-12": _write(
        _LAST_TABLE,
        tool("writer.page_break", before_paragraph=_CONCLUSION),
        _insert_table(_AFTER_INTRODUCTION),
    ),
    "ow-docx-2-0": _write(*_EXP1, _delete(POLITENESS, "Introduction")),
    "ow-docx-2-5": _write(
        _comment(HEART, "heart"),
        tool("writer.page_break", before_paragraph=_number(PSYCHOLOGY, (HEADING, "Practice"))),
        _NO_TITLE,
    ),
    "ow-docx-2-6": _write(
        *_break_sections(WEDDING), _NEWLYWEDS, _comment(FIRST_NEWLYWEDS, "newlyweds")
    ),
}


def _text(slide: int, shape: int | str, text: str) -> Json:
    return tool("impress.set_text", slide=slide, shape=shape, text=text)


def _remove(slide: int, *shapes: int | str) -> list[Json]:
    return [tool("impress.delete_shape", slide=slide, shape=shape) for shape in shapes]


def _drop_slides(last: int, down_to: int) -> list[Json]:
    return [tool("impress.delete_slide", slide=n) for n in range(last, down_to - 1, -1)]


def _table(slide: int, rows: Sequence[Sequence[str]] = STEPS) -> Json:
    return tool("impress.add_table", slide=slide, rows=[list(row) for row in rows])


def _box(slide: int, text: str) -> Json:
    return tool("impress.add_text_box", slide=slide, text=text, x_cm=2, y_cm=10)


_BLANK_AFTER = tool("impress.add_slide", layout="blank", after=2)
_TABLE_OF_STEPS = 6
"""The shapes before it: a title and four text boxes."""
_TO_SECOND = [*_remove(4, 2), _box(2, "Introduction")]
_EMPTY_FIRST = _remove(1, 3, 2, 1)
_YEAR = tool("impress.find_replace", find="Presentation 2024", replace="Presentation 2025")

PRESENTATIONS: dict[str, Sequence[Json]] = {
    "ow-pptx-0-16": _present(_text(3, "title", "MASTER")),
    "ow-pptx-0-17": _present(tool("impress.move_slide", slide=12, to=14)),
    "ow-pptx-0-18": _present(_BLANK_AFTER),
    "ow-pptx-0-19": _present(*_remove(2, "title")),
    "ow-pptx-0-21": _present(*_remove(2, 2)),
    "ow-pptx-0-22": _present(_table(3)),
    "ow-pptx-0-23": _present(*_remove(3, _TABLE_OF_STEPS)),
    "ow-pptx-0-24": _present(*_remove(3, _TABLE_OF_STEPS), _table(3, STEPS[:-1])),
    "ow-pptx-0-25": _present(_box(18, "Details to follow")),
    "ow-pptx-0-26": _present(*_remove(3, _TABLE_OF_STEPS), _table(1)),
    "ow-pptx-0-27": _present(tool("impress.insert_image", slide=3, path=f"{DESKTOP}/she.png")),
    "ow-pptx-0-28": _present(*_TO_SECOND),
    "ow-pptx-0-29": _present(*_EMPTY_FIRST),
    "ow-pptx-0-30": _present(*_drop_slides(12, 11)),
    "ow-pptx-1-16": _present(*_drop_slides(12, 11), _text(2, "title", "GOGOGO")),
    "ow-pptx-1-17": _present(_text(3, "title", "MASTER"), *_remove(4, 3)),
    "ow-pptx-1-19": _present(_BLANK_AFTER, _table(3, BLANK)),
    "ow-pptx-1-20": _present(
        *_remove(1, "title"),
        tool("impress.set_table_cell", slide=3, row=1, column=2, text="Very wealthy"),
    ),
    "ow-pptx-1-22": _present(tool("impress.add_slide", layout="blank"), *_remove(2, 2)),
    "ow-pptx-1-23": _present(_table(3), _YEAR),
    "ow-pptx-1-24": _present(
        tool("impress.find_replace", find="ANIMATION", replace="OTHERS", slide=1), *_TO_SECOND
    ),
    "ow-pptx-1-25": _present(*_remove(3, _TABLE_OF_STEPS), _table(3, [*STEPS[:-1], LAST_STEP])),
    "ow-pptx-1-26": _present(_box(18, "Details to follow"), *_drop_slides(21, 19)),
    "ow-pptx-1-27": _present(*_remove(3, _TABLE_OF_STEPS, 5), _table(1)),
    "ow-pptx-1-28": _present(*_EMPTY_FIRST, tool("impress.move_slide", slide=2, to=1)),
}

OFFICE_WORLD: dict[str, Sequence[Json]] = {**DOCUMENTS, **PRESENTATIONS}
