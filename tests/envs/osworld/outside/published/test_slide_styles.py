"""Colours of the theme and alignment of the layout hold for a slide's text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.text import PP_ALIGN

from envs.osworld.outside.compat.slides_compare import compare_pptx_files_compat
from envs.osworld.outside.published.slides_compare import compare_pptx_files
from tests.envs.osworld.outside.published.made_slides import presentation

Write = Callable[[Any], object]
Make = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Make:
    def make(name: str, *writes: Write) -> Path:
        def write(presented: Any) -> None:
            for write_part in writes:
                write_part(presented)

        return presentation(tmp_path / f"{name}.pptx", write)

    return make


def title(made: Any) -> Any:
    return made.slides[0].shapes.title.text_frame.paragraphs[0]


def scores(result: Path, expected: Path, **options: Any) -> tuple[float, float]:
    """Ours, OSWorld's."""
    return (
        compare_pptx_files(result, expected, **options),
        compare_pptx_files_compat(result, expected, **options),
    )


def test_a_colour_of_the_theme_is_a_colour(made: Make) -> None:
    """OSWorld's fails at one behind a slide."""

    def behind(made: Any) -> None:
        made.slides[0].background.fill.solid()
        made.slides[0].background.fill.fore_color.theme_color = MSO_THEME_COLOR.ACCENT_1

    theme = made("theme", behind)
    assert compare_pptx_files(theme, theme) == 1
    assert compare_pptx_files(made("plain"), theme) == 0
    with pytest.raises(AttributeError):
        compare_pptx_files_compat(theme, theme)


def test_alignment_may_be_the_layouts(made: Make) -> None:
    """OSWorld's takes what no paragraph says for left; titles of the template are centred."""
    center, left = (
        made(name, lambda made, side=side: setattr(title(made), "alignment", side))
        for name, side in (("center", PP_ALIGN.CENTER), ("left", PP_ALIGN.LEFT))
    )
    assert scores(center, made("gold"), examine_bullets=False) == (1, 0)
    assert scores(left, made("gold"), examine_bullets=False) == (0, 1)
