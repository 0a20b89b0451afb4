"""Styles and the default font of a real document."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.shared import Pt, RGBColor

from tests.envs.apps.office.real_office import Refused, separate_office
from tests.envs.apps.office.writer.reading import saved_document

pytestmark = pytest.mark.office

Call = Any


def test_applies_styles_by_the_names_people_use(call: Call, sample_text: Path) -> None:
    call("writer.apply_style", style="Heading 1", paragraph=1)
    call("writer.apply_style", style="Normal", paragraph=2)
    names = [item.style.name for item in saved_document(call).paragraphs]
    assert names == ["Heading 1", "Normal", "Normal"]


def test_an_unknown_style_names_similar_ones(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match=r"similar:.*Heading 1"):
        call("writer.apply_style", style="Headline 1", paragraph=1)


def test_edits_a_style(call: Call, sample_text: Path) -> None:
    call("writer.apply_style", style="Heading 1", paragraph=1)
    call("writer.edit_style", style="Heading 1", font="Liberation Mono", size=30, colour="red")
    font = saved_document(call).paragraphs[0].style.font
    assert (font.name, font.size, font.color.rgb) == (
        "Liberation Mono",
        Pt(30),
        RGBColor(255, 0, 0),
    )
    with pytest.raises(Refused, match="no paragraph style 'Nope'"):
        call("writer.edit_style", style="Nope", bold=True)


def test_the_default_font_holds_here_and_after_a_restart(tmp_path: Path) -> None:
    first, second = tmp_path / "here.docx", tmp_path / "later.docx"
    settings = tmp_path / "profile/user/registrymodifications.xcu"
    with separate_office(tmp_path) as call:
        call("office.new", kind="writer", path=str(first))
        call("writer.set_default_font", font="Liberation Mono")
        assert saved_document(call).styles["Normal"].font.name == "Liberation Mono"
        deadline = time.monotonic() + 20
        while "Liberation Mono" not in settings.read_text() and time.monotonic() < deadline:
            time.sleep(0.1)
    with separate_office(tmp_path) as call:
        call("office.new", kind="writer", path=str(second))
    assert docx.Document(str(second)).styles["Normal"].font.name == "Liberation Mono"


def test_an_empty_default_font_is_refused(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="needs a name"):
        call("writer.set_default_font", font=" ")
