"""Text documents of OfficeWorld's tasks, made: what they start from, and what is right in the end.

OfficeWorld's addresses name no folder, so a file is known by its name alone; a name under which
several tasks expect different contents is left out.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from envs.osworld.format.makers.stable_zip import without_timestamps
from envs.osworld.format.makers.workbooks import workbook_bytes
from tasksets.solutions.inputs.images import scene

Block = tuple[str, Any]
"""A title, a heading, a text, a table, a picture, or a page break."""
TITLE, HEADING, TEXT, TABLE, PICTURE, BREAK = "title", "heading", "text", "table", "picture", "br"
STYLES = {TITLE: "Title", HEADING: "Heading 1", TEXT: "Normal"}
RATES = [["Phrase", "Rated"], ["Please", "9"], ["Could you", "8"], ["Give me", "2"]]
HEART, FIRST_NEWLYWEDS = "Can it be changed to core?", "couples"


def article(title: str, **sections: Sequence[str]) -> list[Block]:
    """A title, and sections of paragraphs below headings; a heading's blanks are underscores."""
    blocks: list[Block] = [(TITLE, title)]
    for heading, texts in sections.items():
        blocks += [(HEADING, heading.replace("_", " ")), *((TEXT, text) for text in texts)]
    return blocks


FOOD = article(
    "Food and health",
    Water=["Water is essential for life.", "It is essential to drink enough."],
    Fruit=["Fruit has essential vitamins."],
)
BILINGUALISM = article(
    "Bilingualism",
    Introduction=["Many people speak two languages."],
    Definitions_and_Scope=["Some learn both at home."],
    Challenges_Associated_with_Bilingualism=["Words of one get into the other."],
    Educational_Implications=["Schools teach in both."],
    Conclusion=["Two are better than one. This is shown by many studies.", "More are to come."],
)
GENOMICS = article(
    "Genomics and society",
    Introduction_to_Genomics=[
        "A genome is long.",
        "It can be read.",
        "Reading is cheap. Storing is not. Both get cheaper.",
    ],
    The_Impact_of_Genomics_on_Healthcare=["Tests are made early.", "Drugs are chosen by them."],
    Outlook=["There is more to read."],
)
POLITENESS = article(
    "Politeness",
    Introduction=["Requests are made in many ways."],
    Politeness_in_English=["English asks."],
    Politeness_in_Spanish=["Spanish tells, with a smile."],
    Universal_Strategies=["All thank."],
    Conclusion=["Ask and thank."],
)
PSYCHOLOGY = article(
    "Psychology",
    Basics=["Trust is at the heart of it.", "It grows slowly.", "It goes fast.", "It comes back."],
    Practice=["Listen first."],
)
WEDDING = article(
    "Wedding trips",
    Introduction=["After the feast comes the trip."],
    Popular_Destinations=["Some couples go south.", "Other couples go north."],
    Planning=["Book early."],
)
WOMEN = article(
    "Women in farming",
    Introduction=["Farms are run by families."],
    Method=["We asked forty farmers."],
    Results=["Half of them were women."],
)
WOMEN_IMAGE = [*WOMEN[:3], (PICTURE, None), *WOMEN[3:]]


def section(blocks: Sequence[Block], heading: str) -> slice:
    """Where a section is, its heading included."""
    start = blocks.index((HEADING, heading))
    ends = [index for index, block in enumerate(blocks) if block[0] == HEADING and index > start]
    return slice(start, min(ends, default=len(blocks)))


def without(blocks: Sequence[Block], heading: str) -> list[Block]:
    """All but a section."""
    place = section(blocks, heading)
    return [*blocks[: place.start], *blocks[place.stop :]]


def swap_of(blocks: Sequence[Block], first: str, second: str) -> list[Block]:
    """With two sections in each other's place."""
    above, below = section(blocks, first), section(blocks, second)
    middle = blocks[above.stop : below.start]
    return [
        *blocks[: above.start],
        *blocks[below],
        *middle,
        *blocks[above],
        *blocks[below.stop :],
    ]


def with_words(blocks: Sequence[Block], old: str, new: str) -> list[Block]:
    """With other words in titles, headings and texts."""
    return [(kind, text.replace(old, new) if kind in STYLES else text) for kind, text in blocks]


def with_more(blocks: Sequence[Block], before: Block, *more: Block) -> list[Block]:
    """With more before a block."""
    index = blocks.index(before)
    return [*blocks[:index], *more, *blocks[index:]]


def with_breaks(blocks: Sequence[Block]) -> list[Block]:
    """With a page break between two sections."""
    headings = [block for block in blocks if block[0] == HEADING][1:]
    pages = list(blocks)
    for heading in headings:
        pages = with_more(pages, heading, (BREAK, None))
    return pages


def picture() -> bytes:
    """A .png file."""
    out = io.BytesIO()
    scene(7).save(out, "PNG")
    return out.getvalue()


def docx_bytes(blocks: Sequence[Block], comment: tuple[str, str] | None = None) -> bytes:
    """A .docx file. `comment`: a word, and what is said about its first place."""
    from docx import Document
    from docx.enum.text import WD_BREAK
    from docx.oxml.ns import qn

    document: Any = Document()
    for kind, content in blocks:
        if kind == TABLE:
            table = document.add_table(len(content), len(content[0]))
            for row, cells in zip(table.rows, content, strict=True):
                for cell, text in zip(row.cells, cells, strict=True):
                    cell.text = text
        elif kind == PICTURE:
            document.add_paragraph().add_run().add_picture(io.BytesIO(picture()))
        elif kind == BREAK:
            document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
        else:
            before, word, after = content.partition(comment[0]) if comment else (content, "", "")
            paragraph = document.add_paragraph(before, style=STYLES[kind])
            if word and comment is not None:
                noted = document.add_comment(paragraph.add_run(word), comment[1], "Someone", "S")
                del noted._comment_elm.attrib[qn("w:date")]
                paragraph.add_run(after)
                comment = None
    out = io.BytesIO()
    document.save(out)
    return without_timestamps(out.getvalue())


_TABLE: Block = (TABLE, RATES)
_CONCLUSION, _INTRODUCTION = (HEADING, "Conclusion"), (TEXT, "Requests are made in many ways.")
_IMAGE = with_more(POLITENESS, _CONCLUSION, (PICTURE, None))


def _newlyweds() -> list[Block]:
    """With page breaks, and the word that the section on destinations shall have."""
    return with_words(with_breaks(WEDDING), "couples", "newlyweds")


_TEXTS: dict[str, list[Block]] = {
    "Food": FOOD,
    "Food_fix0": with_words(FOOD, "essential", "crucial"),
    "Food_fix1": [(TITLE, "FOOD"), *FOOD[1:]],
    "Bilingualism": BILINGUALISM,
    "Bilingualism_fix0": swap_of(BILINGUALISM, "Definitions and Scope", "Educational Implications"),
    "Bilingualism_fix1": [
        *without(BILINGUALISM, "Challenges Associated with Bilingualism"),
        *BILINGUALISM[section(BILINGUALISM, "Challenges Associated with Bilingualism")],
    ],
    "Bilingualism_fix2": with_words(
        BILINGUALISM,
        "Two are better than one. This is shown by many studies.",
        "This is shown by many studies. Two are better than one.",
    ),
    "Genomicsand": GENOMICS,
    "Genomicsand_fix0": with_words(GENOMICS, " Storing is not.", ""),
    "Genomicsand_fix1": without(GENOMICS, "The Impact of Genomics on Healthcare"),
    "Genomicsand_fix2": GENOMICS[1:],
    "Politeness": POLITENESS,
    "Politeness_table": [*POLITENESS, _TABLE],
    "Politeness_table_fix0": [*POLITENESS, (TABLE, RATES[:-1])],
    "Politeness_table_fix1": with_more(POLITENESS, _INTRODUCTION, _TABLE),
    "Politeness_table2": [
        *swap_of(POLITENESS, "Politeness in English", "Politeness in Spanish"),
        _TABLE,
    ],
    "Politeness_table_image": _IMAGE,
    "Politeness_table_image_fix": without(_IMAGE, "Introduction"),
    "Politeness_table_pbr": with_more(
        with_more(POLITENESS, _INTRODUCTION, _TABLE), _CONCLUSION, (BREAK, None)
    ),
    "Psy": PSYCHOLOGY,
    "Wedding": WEDDING,
    "Wedding_pbr": with_breaks(WEDDING),
    "Wedding_pbr2": _newlyweds(),
    "Women": WOMEN,
    "Women_image": WOMEN_IMAGE,
    "Women2": [*without(WOMEN, "Introduction"), *WOMEN[section(WOMEN, "Introduction")]],
}
_COMMENTED: dict[str, tuple[list[Block], tuple[str, str]]] = {
    "Psy_comment": (PSYCHOLOGY, ("heart", "Why is this expression used?")),
    "Psy_comment2": (PSYCHOLOGY[1:], ("heart", HEART)),
    "Psy_comment2_pbr": (
        with_more(PSYCHOLOGY[1:], (HEADING, "Practice"), (BREAK, None)),
        ("heart", HEART),
    ),
    "Wedding_pbr2_comment": (_newlyweds(), ("newlyweds", FIRST_NEWLYWEDS)),
}

OFFICE_WORLD_DOCUMENTS: dict[str, Callable[[], bytes]] = {
    **{f"/{name}.docx": partial(docx_bytes, blocks) for name, blocks in _TEXTS.items()},
    **{f"/{name}.docx": partial(docx_bytes, *made) for name, made in _COMMENTED.items()},
    "/data.xlsx": partial(workbook_bytes, {"Sheet1": RATES}),
    **{f"/{name}.png": picture for name in ("exp1", "farmer", "she")},
}
