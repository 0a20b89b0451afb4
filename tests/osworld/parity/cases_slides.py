"""Cases of upstream's module slides but for comparing presentations."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lxml import etree
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.util import Inches

from tests.envs.osworld.outside.published.made_slides import (
    number_color,
    presentation,
    settings,
    show_numbers,
    transition,
)
from tests.osworld.parity.case import ABSENT, Case, cases_in, cases_of

_case = cases_in("slides")

BROKEN = "malformed-crash"


class Shelf:
    def __init__(self, folder: Path) -> None:
        self._folder = folder / "slides"
        self._folder.mkdir()

    def pptx(self, name: str, write: Callable[[Any], object] = lambda made: None) -> Path:
        """Made once."""
        path = self._folder / f"{name}.pptx"
        return path if path.exists() else presentation(path, write)

    def file(self, name: str, content: bytes) -> Path:
        path = self._folder / name
        path.write_bytes(content)
        return path

    def image(self, name: str, color: str) -> Path:
        path = self._folder / f"{name}.png"
        Image.new("RGB", (40, 30), color).save(path)
        return path


def cases(folder: Path) -> Iterator[Case]:
    shelf = Shelf(folder)
    for part in (_pages, _pictures, _struck, _backgrounds, _effects, _numbers, _settings):
        yield from part(shelf)


def _pages(shelf: Shelf) -> Iterator[Case]:
    metric = "check_slide_orientation_Portrait"

    def size(width: float, height: float) -> Callable[[Any], object]:
        def write(made: Any) -> None:
            made.slide_width, made.slide_height = Inches(width), Inches(height)

        return write

    yield _case(metric, "upright", shelf.pptx("upright", size(7.5, 10)))
    yield _case(metric, "sideways", shelf.pptx("sideways", size(10, 7.5)))
    yield _case(metric, "square", shelf.pptx("square", size(8, 8)))
    yield _case(metric, "broken", shelf.file("broken.pptx", b"no slides"), ABSENT, BROKEN)


def _pictures(shelf: Shelf) -> Iterator[Case]:
    metric = "check_image_stretch_and_center"
    red, blue = shelf.image("red", "red"), shelf.image("blue", "blue")

    def pictures(*placed: tuple[Path, float, float, float, float]) -> Callable[[Any], object]:
        def write(made: Any) -> None:
            for path, *at in placed:
                made.slides[0].shapes.add_picture(str(path), *map(Inches, at))

        return write

    original = shelf.pptx("small", pictures((red, 1, 1, 4, 3)))
    yield _case(metric, "fills", shelf.pptx("full", pictures((red, 0, 0, 10, 7.5))), original)
    yield _case(metric, "nearly", shelf.pptx("near", pictures((red, 0.1, 0, 9.8, 7.3))), original)
    yield _case(metric, "as it was", original, original)
    off = shelf.pptx("off", pictures((red, 0.6, 0, 10, 7.5)))
    yield _case(metric, "not centred", off, original)
    yield _case(metric, "another", shelf.pptx("blue", pictures((blue, 0, 0, 10, 7.5))), original)
    none = shelf.pptx("none")
    yield _case(metric, "none", none, original)
    yield _case(metric, "none in the original", none, none)
    twice = shelf.pptx("twice", pictures((red, 0, 0, 10, 7.5), (red, 1, 1, 4, 3)))
    yield _case(metric, "a copy above", twice, original, "last-copy")
    yield _case(metric, "broken", shelf.file("broken.pptx", b"no slides"), original, BROKEN)


def _struck(shelf: Shelf) -> Iterator[Case]:
    metric = "check_strikethrough"
    rules = {"slide_index_s": [0], "shape_index_s": [1], "paragraph_index_s": [0, 1]}

    def struck(*marks: str | None) -> Callable[[Any], object]:
        def write(made: Any) -> None:
            frame = made.slides[0].placeholders[1].text_frame
            frame.text = "\n".join("line" for _ in marks)
            for paragraph, mark in zip(frame.paragraphs, marks, strict=True):
                if mark is not None:
                    paragraph.runs[0].font._element.set("strike", mark)

        return write

    yield _case(metric, "both", shelf.pptx("struck", struck("sngStrike", "sngStrike")), rules)
    yield _case(metric, "one", shelf.pptx("struck1", struck("sngStrike", None)), rules)
    off = shelf.pptx("struck0", struck("noStrike", "noStrike"))
    yield _case(metric, "said not to be", off, rules, "struck-by-attribute")
    yield _case(metric, "too few lines", shelf.pptx("struck2", struck("sngStrike")), rules)
    yield _case(metric, "broken", shelf.file("broken.pptx", b"no slides"), rules, BROKEN)


def _backgrounds(shelf: Shelf) -> Iterator[Case]:
    metric = "evaluate_presentation_fill_to_rgb_distance"
    rules = {"rgb": [0, 0, 255], "original_rgb": [255, 255, 255]}

    def solid(*colors: str | None, where: str = "slide") -> Callable[[Any], object]:
        def write(made: Any) -> None:
            for slide, color in zip(made.slides, colors, strict=False):
                layout = slide.slide_layout
                holder = {"slide": slide, "layout": layout, "master": layout.slide_master}[where]
                if color is not None:
                    holder.background.fill.solid()
                    holder.background.fill.fore_color.rgb = RGBColor.from_string(color)

        return write

    yield _case(metric, "blue", shelf.pptx("blue2", solid("0000FF", "0000FF")), rules)
    yield _case(metric, "nearly", shelf.pptx("bluish", solid("1010F0", "0000FF")), rules)
    yield _case(metric, "one", shelf.pptx("blue1", solid("0000FF", None)), rules)
    yield _case(metric, "red", shelf.pptx("red2", solid("FF0000", "FF0000")), rules)
    yield _case(metric, "white", shelf.pptx("white", solid("FFFFFF", "FFFFFF")), rules)
    yield _case(metric, "the master", shelf.pptx("master", solid("0000FF", where="master")), rules)
    layout = shelf.pptx("layout", solid("0000FF", "0000FF", where="layout"))
    yield _case(metric, "the layout", layout, rules, "background-by-theme")

    def use_theme_colour(made: Any) -> None:
        for slide in made.slides:
            slide.background.fill.solid()
            slide.background.fill.fore_color.theme_color = MSO_THEME_COLOR.ACCENT_1

    yield _case(
        metric, "a theme's", shelf.pptx("theme", use_theme_colour), rules, "background-by-theme"
    )
    yield _case(metric, "no original", shelf.pptx("white"), {"rgb": [0, 0, 255]})
    yield _case(metric, "broken", shelf.file("broken.pptx", b"no slides"), rules, BROKEN)


def _effects(shelf: Shelf) -> Iterator[Case]:
    metric, rules = "check_transition", {"slide_idx": 0, "transition_type": "dissolve"}
    right = shelf.pptx("dissolve", lambda made: transition(made.slides[0], "dissolve"))
    yield _case(metric, "right", right, rules)
    fade = shelf.pptx("fade", lambda made: transition(made.slides[0], "fade"))
    yield _case(metric, "another", fade, rules)
    second = shelf.pptx("second", lambda made: transition(made.slides[1], "dissolve"))
    yield _case(metric, "another slide", second, rules)
    yield _case(metric, "none", shelf.pptx("none"), rules)
    yield _case(metric, "no such slide", right, {**rules, "slide_idx": 7})

    def swap_slides(made: Any) -> None:
        transition(made.slides[1], "dissolve")
        order = made.slides._sldIdLst
        order.insert(0, order[1])

    yield _case(metric, "now the first", shelf.pptx("turned", swap_slides), rules, "slides-by-file")
    yield _case(metric, "broken", shelf.file("broken.pptx", b"no slides"), rules, BROKEN)
    metric = "check_left_panel"
    panel = '<desktop-frame><document-frame name="{}"/></desktop-frame>'
    yield _case(metric, "there", panel.format("Slides View"))
    yield _case(metric, "another", panel.format("Notes View"))
    yield _case(metric, "none", "<desktop-frame/>")
    yield _case(metric, "broken", "<desktop-frame>", ABSENT, BROKEN)


def _numbers(shelf: Shelf) -> Iterator[Case]:
    metric, red = "check_page_number_colors", {"color": "red"}

    def colored(color: str) -> Callable[[Any], object]:
        def write(made: Any) -> None:
            show_numbers(made)
            number_color(made, color)

        return write

    def late(color: str) -> Callable[[Any], object]:
        """As LibreOffice writes it: one colour more at the end."""

        def write(made: Any) -> None:
            colored(color)(made)
            master = made.slide_masters[0]
            end = copy.deepcopy(master.placeholders[0]._element)
            for old in end.iter("{*}schemeClr"):
                old.tag = "{http://schemas.openxmlformats.org/drawingml/2006/main}srgbClr"
                old.set("val", "000000")
            body = end.find("{*}txBody/{*}p")
            fill = etree.SubElement(
                etree.SubElement(body, f"{{{body.nsmap['a']}}}endParaRPr"),
                f"{{{body.nsmap['a']}}}solidFill",
            )
            etree.SubElement(fill, f"{{{body.nsmap['a']}}}srgbClr").set("val", "000000")
            master.shapes._spTree.append(end)

        return write

    yield _case(metric, "red", shelf.pptx("nr-red", late("FF0000")), red)
    yield _case(metric, "black", shelf.pptx("nr-black", late("000000")), red)
    blue = shelf.pptx("nr-blue", late("0000FF"))
    yield _case(metric, "blue is not red", blue, red)
    yield _case(metric, "blue", blue, {"color": "blue"}, "number-colour")
    plain = shelf.pptx("nr-plain", show_numbers)
    yield _case(metric, "none", plain, red, "number-colour")
    yield _case(metric, "broken", shelf.file("broken.pptx", b"no slides"), red, BROKEN)
    metric = "check_slide_numbers_color"

    def said(color: str) -> Callable[[Any], object]:
        """As LibreOffice names the field."""

        def write(made: Any) -> None:
            colored(color)(made)
            for shape in made.slide_masters[0].placeholders:
                if shape.text == "‹#›":
                    shape.text = "<number>"
                    paragraph = shape.text_frame.paragraphs[0]
                    paragraph.font.color.rgb = RGBColor.from_string(color)
                    paragraph.runs[0].font.color.rgb = RGBColor.from_string(color)

        return write

    yield _case(metric, "red", shelf.pptx("said-red", said("FF0000")))
    yield _case(metric, "blue", shelf.pptx("said-blue", said("0000FF")))
    yield _case(metric, "no numbers", shelf.pptx("none"))
    yield _case(metric, "another field", shelf.pptx("nr-red"), ABSENT, "number-colour")
    yield _case(metric, "broken", shelf.file("broken.pptx", b"no slides"), ABSENT, BROKEN)


def _settings(shelf: Shelf) -> Iterator[Case]:
    metric, path = "check_presenter_console_disable", "/org.openoffice.Office.Impress/Misc/Start"
    off = shelf.file("off.xcu", settings((path, "EnablePresenterScreen", "false")))
    yield _case(metric, "off", off)
    on = shelf.file("on.xcu", settings((path, "EnablePresenterScreen", "true")))
    yield _case(metric, "on", on)
    yield _case(metric, "not set", shelf.file("unset.xcu", settings()))
    broken = shelf.file("broken.xcu", b"<items>")
    yield _case(metric, "broken", broken)
    metric, three = "check_auto_saving_time", {"minutes": 3}
    path, name = "/org.openoffice.Office.Common/Save/Document", "AutoSaveTimeIntervall"
    yield _case(metric, "three", shelf.file("3.xcu", settings((path, name, "3"))), three)
    yield _case(metric, "ten", shelf.file("10.xcu", settings((path, name, "10"))), three)
    yield _case(metric, "not set", shelf.file("unset.xcu", settings()), three)
    turned_off = settings((path, name, "3"), (path, "AutoSave", "false"))
    yield _case(metric, "off", shelf.file("3off.xcu", turned_off), three, "saving-off")
    words = shelf.file("words.xcu", settings((path, name, "three")))
    yield _case(metric, "no number", words, three, "saving-off")
    yield _case(metric, "broken", broken, three)
    font, font_rules = cases_of("docs", "find_default_font"), {"font_name": "Times New Roman"}
    path = "/org.openoffice.Office.Writer/DefaultFont"
    for name, content in (
        ("right", settings((path, "Standard", "Times New Roman"))),
        ("another font", settings((path, "Standard", "Arial"))),
        ("another style", settings((path, "Heading", "Times New Roman"))),
        ("the last counts", settings((path, "Standard", "Arial"),
                                     (path, "Standard", "Times New Roman"))),
        ("broken", b"<items>"),
    ):  # fmt: skip
        yield font(name, shelf.file(f"{name}.xcu", content), font_rules)
