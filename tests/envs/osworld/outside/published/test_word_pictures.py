"""Metrics of pictures and equations in documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from docx.oxml import OxmlElement
from PIL import Image

from envs.osworld.outside.published.word_pictures import (
    compare_contains_image,
    compare_contains_image_compat,
    compare_docx_images,
    compare_docx_images_compat,
    compare_insert_equation,
    compare_insert_equation_compat,
)
from tests.envs.osworld.outside.published.made_documents import equation, picture, word


def image(folder: Path, color: str, size: tuple[int, int] = (8, 8)) -> Path:
    path = folder / f"{color} {size}.png"
    Image.new("RGB", size, color).save(path)
    return path


def pictures(*paths: Path) -> Callable[[Any], object]:
    return lambda document: [picture(document, path) for path in paths]


def test_pictures_count_in_the_order_shown(tmp_path: Path) -> None:
    """OSWorld's takes the order in which the file keeps them, and forgets their sizes."""
    red, blue = image(tmp_path, "red"), image(tmp_path, "blue")
    gold = word(tmp_path / "gold.docx", write=pictures(red, blue))
    same = word(tmp_path / "same.docx", "Text", write=pictures(red, blue))
    assert compare_docx_images(same, gold) == 1
    assert compare_docx_images(word(tmp_path / "one.docx", write=pictures(red)), gold) == 0

    def add_in_other_order(document: Any) -> None:
        picture(document, blue)
        picture(document, red)
        document.element.body.insert(0, document.paragraphs[-1]._p)

    moved = word(tmp_path / "moved.docx", write=add_in_other_order)
    assert (compare_docx_images(moved, gold), compare_docx_images_compat(moved, gold)) == (1, 0)
    flat, tall = (
        word(tmp_path / f"{size}.docx", write=pictures(image(tmp_path, "red", size)))
        for size in ((4, 16), (16, 4))
    )
    assert (compare_docx_images(flat, tall), compare_docx_images_compat(flat, tall)) == (0, 1)


def test_a_picture_must_stand_in_its_paragraph(tmp_path: Path) -> None:
    """OSWorld's compares as far as both go: an empty document passes."""
    red = image(tmp_path, "red")
    gold = word(tmp_path / "gold.docx", "A", write=pictures(red))
    assert compare_contains_image(gold, gold) == 1
    assert compare_contains_image(word(tmp_path / "none.docx", "A", ""), gold) == 0
    empty = word(tmp_path / "empty.docx")
    assert (compare_contains_image(empty, gold), compare_contains_image_compat(empty, gold)) == (
        0,
        1,
    )


def test_equations_are_compared(tmp_path: Path) -> None:
    """OSWorld's knows only objects, which programs no longer write for equations."""
    gold, same, other = (
        word(
            tmp_path / f"{name}.docx",
            "A",
            write=lambda made, formula=formula: equation(made, formula),
        )
        for name, formula in (("gold", "a+b"), ("same", "a + b"), ("other", "a-b"))
    )
    assert compare_insert_equation(same, gold) == 1
    assert compare_insert_equation_compat(same, gold) == 0
    assert compare_insert_equation(other, gold) == 0
    assert compare_insert_equation(word(tmp_path / "none.docx", "A"), gold) == 0

    def add_object(document: Any) -> None:
        document.add_paragraph().add_run()._r.append(OxmlElement("w:object"))

    stored = word(tmp_path / "stored.docx", "A", write=add_object)
    assert compare_insert_equation(stored, stored) == 1
    assert compare_insert_equation_compat(stored, stored) == 1


def test_what_is_no_document_scores_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "broken.docx"
    broken.write_bytes(b"PK no document")
    for metric in (compare_docx_images, compare_contains_image, compare_insert_equation):
        assert metric(broken, broken) == 0
