"""Metrics of pictures that GIMP made: right, wrong, malformed, and OSWorld's own errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

from envs.osworld.outside.published import gimp
from tests.osworld.pictures import cut_out, scene

Save = Callable[..., Path]
PAIRS = [
    gimp.compare_image_list,
    gimp.increase_saturation,
    gimp.decrease_brightness,
    gimp.check_brightness_decrease_and_structure_sim,
    gimp.check_saturation_increase_and_structure_sim,
    gimp.check_contrast_increase_and_structure_sim,
    gimp.check_file_exists_and_structure_sim,
    gimp.check_structure_sim,
    gimp.check_structure_sim_with_threshold,
    gimp.check_structure_sim_resized,
    gimp.check_palette_and_structure_sim,
    gimp.check_image_mirror,
    gimp.check_sharper,
]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def saved(name: str, image: Image.Image, **options: Any) -> Path:
        image.save(tmp_path / name, **options)
        return tmp_path / name

    return saved


@pytest.fixture
def picture(save: Save) -> Path:
    return save("scene.png", scene())


@pytest.mark.parametrize("metric", PAIRS, ids=lambda metric: metric.__name__)
@pytest.mark.parametrize("content", [b"", b"text", b"\x89PNG\r\n\x1a\n", b"BM" + bytes(60)])
def test_a_broken_picture_scores_nothing(
    tmp_path: Path, picture: Path, metric: Callable[..., float], content: bytes
) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(content)
    assert metric(broken, picture) == 0
    assert metric(picture, broken) == 0


def test_a_cut_out_is_judged_by_what_is_seen(save: Save) -> None:
    gold = save("gold.png", cut_out(keep_colours=True))
    lost = save("lost.png", cut_out(keep_colours=False))
    untouched = save("untouched.png", scene())
    assert gimp.check_structure_sim(lost, gold) == 1
    assert gimp.check_structure_sim(untouched, gold) == 0
    assert gimp.check_structure_sim_compat(lost, gold) == 0
    assert gimp.check_structure_sim_compat(untouched, gold) == 1
    assert gimp.check_structure_sim_with_threshold(lost, gold, ssim_threshold=0.85) == 1


def test_lists_are_the_same_picture_by_picture(save: Save) -> None:
    first, other = (save(f"{seed}.png", scene(seed)) for seed in (1, 2))
    assert gimp.compare_image_list([first, other], [first, other]) == 1
    assert gimp.compare_image_list([other, first], [first, other]) == 0
    assert gimp.compare_image_list([first], [first, other]) == 0
    assert gimp.compare_image_list_compat([first], [first, other]) == 1
    assert gimp.compare_image_list(first, first) == 1


def test_colours_count_beside_alpha(save: Save) -> None:
    red, blue = (save(f"{name}.png", Image.new("RGBA", (8, 8), name)) for name in ("red", "blue"))
    assert gimp.compare_image_list(red, blue) == 0
    assert gimp.compare_image_list_compat(red, blue) == 1


def test_a_list_wants_the_size_too(save: Save) -> None:
    small, large = (save(f"{side}.png", Image.new("RGB", (side, side))) for side in (8, 16))
    assert gimp.compare_image_list(large, small) == 0
    assert gimp.compare_image_list_compat(large, small) == 1


def test_levels_go_the_right_way(save: Save, picture: Path) -> None:
    darker = save("darker.png", ImageEnhance.Brightness(scene()).enhance(0.7))
    assert gimp.check_brightness_decrease_and_structure_sim(darker, picture) == 1
    assert gimp.check_brightness_decrease_and_structure_sim(picture, darker) == 0
    assert gimp.decrease_brightness(picture, darker) == 1
    colourful = save("colourful.png", ImageEnhance.Color(scene()).enhance(1.3))
    assert gimp.check_saturation_increase_and_structure_sim(colourful, picture) == 1
    assert gimp.check_saturation_increase_and_structure_sim(picture, colourful) == 0
    assert gimp.increase_saturation(picture, colourful) == 1
    strong = save("strong.png", ImageEnhance.Contrast(scene()).enhance(1.5))
    assert gimp.check_contrast_increase_and_structure_sim(strong, picture) == 1
    assert gimp.check_contrast_increase_and_structure_sim(picture, strong) == 0
    sharp = save("sharp.png", scene().filter(ImageFilter.SHARPEN))
    assert (gimp.check_sharper(sharp, picture), gimp.check_sharper(picture, sharp)) == (1, 0)


def test_another_dark_picture_is_not_this_one_darker(save: Save, picture: Path) -> None:
    other = save("other.png", ImageEnhance.Brightness(scene(5)).enhance(0.5))
    assert gimp.check_brightness_decrease_and_structure_sim(other, picture, threshold=0.01) == 0


def test_a_black_picture_is_not_this_one_darker(save: Save, picture: Path) -> None:
    black = save("black.png", Image.new("RGB", (120, 80)))
    assert gimp.check_brightness_decrease_and_structure_sim(black, picture) == 0
    with pytest.raises(ZeroDivisionError):
        gimp.check_brightness_decrease_and_structure_sim_compat(black, picture)


def test_a_palette_is_seen_as_its_colours(save: Save, picture: Path) -> None:
    dark = ImageEnhance.Brightness(scene()).enhance(0.7)
    indexed = save("indexed.png", dark.quantize(64))
    options = {"threshold": 0.01}
    metric = gimp.check_brightness_decrease_and_structure_sim
    compat = gimp.check_brightness_decrease_and_structure_sim_compat
    assert (metric(indexed, picture, **options), compat(indexed, picture, **options)) == (1, 0)


def test_alpha_is_no_contrast(save: Save, picture: Path) -> None:
    alpha = save("alpha.png", scene().convert("RGBA"))
    assert gimp.check_contrast_increase_and_structure_sim(alpha, picture) == 0
    assert gimp.check_contrast_increase_and_structure_sim_compat(alpha, picture) == 1


def test_an_export_is_the_same_picture(save: Save, picture: Path) -> None:
    exported = save("export.jpg", scene(), quality=98, subsampling=0)
    assert gimp.check_file_exists_and_structure_sim(exported, picture) == 1
    assert gimp.check_file_exists_and_structure_sim(save("5.png", scene(5)), picture) == 0


def test_a_layer_is_found_within_what_is_transparent(save: Save, picture: Path) -> None:
    framed = ImageOps.expand(scene().convert("RGBA").resize((60, 40)), 20, (0, 0, 0, 0))
    nothing = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
    assert gimp.check_structure_sim_resized(save("framed.png", framed), picture) == 0
    framed = ImageOps.expand(scene().convert("RGBA"), 20, (0, 0, 0, 0))
    assert gimp.check_structure_sim_resized(save("framed.png", framed), picture) == 1
    assert gimp.check_structure_sim_resized(save("nothing.png", nothing), picture) == 0


def test_a_palette_is_wanted_and_the_picture_too(save: Save, picture: Path) -> None:
    metric = gimp.check_palette_and_structure_sim
    assert metric(save("p.png", scene().quantize(256)), picture) == 1
    assert metric(picture, picture) == 0
    assert metric(save("p5.png", scene(5).quantize(256)), picture) == 0


def test_a_mirror_exchanges_left_and_right(save: Save, picture: Path) -> None:
    assert gimp.check_image_mirror(save("m.png", ImageOps.mirror(scene())), picture) == 1
    assert gimp.check_image_mirror(save("f.png", ImageOps.flip(scene())), picture) == 0
    assert gimp.check_image_mirror(picture, picture) == 0


def test_a_file_is_under_a_size(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(10))
    assert gimp.check_image_file_size(file, {"max_size": 11}) == 1
    assert gimp.check_image_file_size(file, {"max_size": 10}) == 0
    assert gimp.check_file_exists(str(tmp_path), "file") == 1
    assert gimp.check_file_exists(str(tmp_path), "none") == 0


def test_size_is_the_whole_or_what_is_seen(save: Save) -> None:
    image = Image.new("RGBA", (30, 20), (0, 0, 0, 0))
    image.paste("red", (5, 5, 15, 12))
    file = save("frame.png", image)
    assert gimp.check_image_size(file, {"width": 30, "height": 20}) == 1
    assert gimp.check_image_size(file, {"height": 20, "ignore_transparent": True}) == 0
    rule = {"width": 10, "height": 7, "ignore_transparent": True}
    assert gimp.check_image_size(file, rule) == 1


def test_a_transparent_colour_is_ignored_only_when_asked(save: Save) -> None:
    image = Image.new("P", (30, 20), 0)
    image.putpalette([0, 0, 0, 255, 0, 0])
    image.paste(1, (5, 5, 15, 12))
    file = save("indexed.png", image, transparency=0)
    assert gimp.check_image_size(file, {"height": 20}) == 1
    assert gimp.check_image_size_compat(file, {"height": 20}) == 0
    assert gimp.check_image_size(file, {"height": 7, "ignore_transparent": True}) == 1


@pytest.mark.parametrize(
    ("key", "value", "score", "upstream"),
    [
        ("theme", '"Dark"', 1, 1),
        ("theme", '"Light"', 0, 0),
        ("undo-levels", "100", 1, 1),
        ("undo-levels", "10", 0, 0),
        ("layer-new-name", '"My Square"', 1, 0),
        (["tool", "paint"], "3", 1, 1),
        (["tool", "erase"], "3", 0, 0),
    ],
)
def test_a_setting_has_its_value(
    tmp_path: Path, key: str | list[str], value: str, score: float, upstream: float
) -> None:
    file = tmp_path / "gimprc"
    file.write_text(
        '# (theme "Light")\n\n(theme "Dark")\n(undo-levels 100)\n'
        '(layer-new-name "My Square")\n(tool paint (size 3))\n'
    )
    assert gimp.check_config_status(file, {"key": key, "value": value}) == score
    assert gimp.check_config_status_compat(file, {"key": key, "value": value}) == upstream


def test_odd_lines_of_settings_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "gimprc"
    file.write_bytes(b"  \n)(\n\xff\n(theme Dark)\n")
    rule = {"key": "theme", "value": "Dark"}
    assert gimp.check_config_status(file, rule) == 1
    file.write_text("  \n(theme Dark)\n")
    with pytest.raises(IndexError):
        gimp.check_config_status_compat(file, rule)


def test_a_key_has_one_word_or_two(tmp_path: Path) -> None:
    (tmp_path / "gimprc").write_text("(a b c d)\n")
    with pytest.raises(ValueError, match="one word or two"):
        gimp.check_config_status(tmp_path / "gimprc", {"key": ["a", "b", "c"], "value": "d"})
