"""Cases of upstream's module gimp: pictures made here, GIMP's settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image, ImageEnhance, ImageFilter, ImageOps

from tests.osworld.parity.case import Case, cases_in
from tests.osworld.pictures import cut_out, scene, shape

_case = cases_in("gimp")

RC = """# GIMP gimprc
# (theme "Light")

(theme "Dark")
(undo-levels 100)
(layer-new-name "Square")
(layer-new-name-2 "My Square")
(color-management
    (mode display))
(tool "paint" (size 3))
"""


def cases(folder: Path) -> Iterator[Case]:
    broken = folder / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    picture = _saved(folder / "scene.png", scene())
    yield from _lists(folder, broken)
    yield from _levels(folder, picture, broken)
    yield from _structures(folder, picture, broken)
    yield from _sizes(folder, broken)
    yield from _triangles(folder, broken)
    yield from _sides(folder, broken)
    yield from _settings(folder)


def _saved(path: Path, image: Image.Image, **options: Any) -> Path:
    image.save(path, **options)
    return path


def _lists(folder: Path, broken: Path) -> Iterator[Case]:
    metric, first = "compare_image_list", _saved(folder / "list1.png", scene(1))
    other, clear = (_saved(folder / f"list{n}.png", scene(n)) for n in (2, 3))
    grey = _saved(folder / "grey.png", Image.new("RGB", (8, 8), "grey"))
    large = _saved(folder / "large.png", Image.new("RGB", (16, 16), "grey"))
    red, blue = (
        _saved(folder / f"{colour}.png", Image.new("RGBA", (8, 8), colour))
        for colour in ("red", "blue")
    )
    yield _case(metric, "same", [first, other], [first, other])
    yield _case(metric, "one, same", first, first)
    yield _case(metric, "one, another", first, other)
    yield _case(metric, "other order", [first, other], [other, first])
    yield _case(metric, "second differs", [first, other], [first, clear])
    yield _case(metric, "fewer", [first], [first, other], "image-list-short")
    yield _case(metric, "another size", large, grey, "image-list-size")
    yield _case(metric, "colours with alpha", red, blue, "image-list-alpha")
    yield _case(metric, "broken", broken, first, "malformed-image")
    file = folder / "broken.png"
    yield _case("check_file_exists", "there", str(folder), file.name)
    yield _case("check_file_exists", "missing", str(folder), "missing.png")


def _levels(folder: Path, picture: Path, broken: Path) -> Iterator[Case]:
    image = Image.open(picture)
    made = {
        "same": image,
        "darker": ImageEnhance.Brightness(image).enhance(0.7),
        "brighter": ImageEnhance.Brightness(image).enhance(1.2),
        "colourful": ImageEnhance.Color(image).enhance(1.4),
        "pale": ImageEnhance.Color(image).enhance(0.6),
        "contrast": ImageEnhance.Contrast(image).enhance(1.5),
        "flat": ImageEnhance.Contrast(image).enhance(0.5),
        "sharp": image.filter(ImageFilter.SHARPEN),
        "blurred": image.filter(ImageFilter.GaussianBlur(2)),
        "another": scene(5),
        "black": Image.new("RGB", image.size),
        "small": image.resize((60, 40)),
        "tiny": image.resize((6, 4)),
    }
    files = {name: _saved(folder / f"level {name}.png", made[name]) for name in made}
    darker, exact = "check_brightness_decrease_and_structure_sim", ("same", "darker", "brighter")
    for name in (*exact, "another", "small", "flat"):
        yield _case(darker, name, files[name], picture)
        yield _case(darker, f"{name}, strict", files[name], picture, threshold=0.0001)
    yield _case(darker, "black", files["black"], picture, "brightness-black")
    yield _case(darker, "broken", broken, picture, "malformed-image")
    indexed = _saved(folder / "indexed dark.png", made["darker"].quantize(64))
    yield _case(darker, "a palette", indexed, picture, "brightness-palette", threshold=0.01)
    for name in ("same", "colourful", "pale", "another", "small", "tiny"):
        yield _case("check_saturation_increase_and_structure_sim", name, files[name], picture)
        yield _case("increase_saturation", name, picture, files[name])
    for name in ("same", "contrast", "flat", "another", "small"):
        yield _case("check_contrast_increase_and_structure_sim", name, files[name], picture)
    alpha = _saved(folder / "alpha.png", image.convert("RGBA"))
    contrast = "check_contrast_increase_and_structure_sim"
    yield _case(contrast, "alpha", alpha, picture, "contrast-bands")
    yield _case(contrast, "broken", broken, picture, "malformed-image")
    for name in (*exact, "black"):
        yield _case("decrease_brightness", name, picture, files[name])
    for name in ("same", "sharp", "blurred"):
        yield _case("check_sharper", name, files[name], picture)
    yield _case("check_sharper", "broken", broken, picture, "malformed-image")
    yield _case("check_image_file_size", "under", picture, {"max_size": 10**6})
    yield _case("check_image_file_size", "over", picture, {"max_size": 100})
    size = picture.stat().st_size
    yield _case("check_image_file_size", "as much", picture, {"max_size": size})


def _structures(folder: Path, picture: Path, broken: Path) -> Iterator[Case]:
    image = Image.open(picture)
    made = {
        "same": image,
        "as JPEG": image,
        "blurred": image.filter(ImageFilter.GaussianBlur(3)),
        "another": scene(5),
        "mirrored": ImageOps.mirror(image),
        "upside down": ImageOps.flip(image),
        "half": image.resize((image.width // 2, image.height // 2)),
        "palette": image.quantize(256),
        "tiny": image.resize((5, 5)),
        "transparent": Image.new("RGBA", image.size, (0, 0, 0, 0)),
        "framed": ImageOps.expand(image.convert("RGBA"), 20, (0, 0, 0, 0)),
    }
    files = {
        name: _saved(folder / f"{name}.{'jpg' if 'JPEG' in name else 'png'}", made[name])
        for name in made
    }
    for metric in (
        "check_structure_sim", "check_file_exists_and_structure_sim",
        "check_structure_sim_resized", "check_palette_and_structure_sim", "check_image_mirror",
    ):  # fmt: skip
        silent = metric in ("check_structure_sim", "check_palette_and_structure_sim")
        for name, file in files.items():
            yield _case(metric, name, file, picture)
        yield _case(metric, "broken", broken, picture, "" if silent else "malformed-image")
    gold = _saved(folder / "cut out.png", cut_out(keep_colours=True))
    kept = _saved(folder / "kept.png", cut_out(keep_colours=True).convert("RGB"))
    lost = _saved(folder / "lost.png", cut_out(keep_colours=False))
    yield _case("check_structure_sim", "cut out", gold, gold)
    yield _case("check_structure_sim", "background kept", kept, gold, "alpha-ignored")
    yield _case("check_structure_sim", "colours below lost", lost, gold, "alpha-ignored")


def _sizes(folder: Path, broken: Path) -> Iterator[Case]:
    metric, plain = "check_image_size", _saved(folder / "plain.png", Image.new("RGB", (30, 20)))
    frame = Image.new("RGBA", (30, 20), (0, 0, 0, 0))
    frame.paste("red", (5, 5, 15, 12))
    framed = _saved(folder / "frame.png", frame)
    clear = _saved(folder / "clear.png", Image.new("RGBA", (30, 20), (0, 0, 0, 0)))
    indexed = Image.new("P", (30, 20), 0)
    indexed.putpalette([0, 0, 0, 255, 0, 0])
    indexed.paste(1, (5, 5, 15, 12))
    palette = _saved(folder / "indexed.png", indexed, transparency=0)
    yield _case(metric, "both", plain, {"height": 20, "width": 30})
    yield _case(metric, "height alone", plain, {"height": 20})
    yield _case(metric, "another height", plain, {"height": 21, "width": 30})
    yield _case(metric, "exchanged", plain, {"height": 30, "width": 20})
    yield _case(metric, "whole", framed, {"height": 20, "width": 30})
    yield _case(metric, "content", framed, {"height": 7, "ignore_transparent": True})
    yield _case(metric, "no content", clear, {"height": 0, "ignore_transparent": True})
    yield _case(metric, "palette", palette, {"height": 7, "ignore_transparent": True})
    yield _case(metric, "palette, whole", palette, {"height": 20}, "size-precedence")
    yield _case(metric, "broken", broken, {"height": 20}, "malformed-image")


def _triangles(folder: Path, broken: Path) -> Iterator[Case]:
    metric = "check_triangle_position"
    for name, image, differs in (
        ("middle", shape(100, 80, (50, 40)), ""),
        ("corner", shape(100, 80, (20, 20)), "triangle-colour"),
        ("soft, middle", shape(100, 80, (50, 40), soft=True), "triangle-colour"),
        ("alpha, middle", shape(100, 80, (50, 40)).convert("RGBA"), ""),
        ("grey", shape(100, 80, (50, 40)).convert("L"), "triangle-colour"),
        ("one colour", Image.new("RGB", (50, 50)), "triangle-colour"),
    ):
        yield _case(metric, name, _saved(folder / f"shape {name}.png", image), differs=differs)
    yield _case(metric, "broken", broken, differs="malformed-image")
    near, far = folder / "shape middle.png", folder / "shape corner.png"
    odd = _saved(folder / "odd.png", shape(101, 81, (50, 40)))
    for name, first, other, differs in (
        ("nearer", far, near, "triangle-bounds"),
        ("farther", near, far, ""),
        ("same", near, near, ""),
        ("odd sides", odd, near, "triangle-bounds"),
        ("even sides", near, odd, "triangle-bounds"),
    ):
        yield _case("compare_triangle_positions", name, first, other, differs)


def _sides(folder: Path, broken: Path) -> Iterator[Case]:
    metric = "check_textbox_on_leftside"
    for name, left, ground, differs in (
        ("left", 2, "white", ""),
        ("middle", 60, "white", ""),
        ("at the limit", 10, "white", ""),
        ("nothing", 200, "white", ""),
        ("middle, transparent", 60, (0, 0, 0, 0), "leftside-alpha"),
    ):
        image = Image.new("RGBA" if isinstance(ground, tuple) else "RGB", (200, 40), ground)
        image.paste("black", (left, 10, left + 40, 30))
        yield _case(metric, name, _saved(folder / f"side {name}.png", image), differs=differs)
    yield _case(metric, "broken", broken, differs="malformed-image")
    for name, size, colour, differs in (
        ("green", (40, 40), (10, 200, 30), ""),
        ("grey", (40, 40), (90, 90, 90), ""),
        ("cyan", (40, 40), (0, 200, 200), ""),
        ("wide", (60, 40), (10, 200, 30), "green-transposed"),
        ("high", (40, 60), (10, 200, 30), "green-transposed"),
        ("high, grey", (40, 60), (90, 90, 90), ""),
    ):
        white, filled = Image.new("RGB", size, "white"), Image.new("RGB", size, colour)
        for image in (white, filled):
            image.paste("black", (10, 10, 20, 30))
        gold = _saved(folder / f"white {name}.png", white)
        file = _saved(folder / f"filled {name}.png", filled)
        yield _case("check_green_background", name, file, gold, differs)
    yield _case("check_green_background", "broken", broken, gold, "malformed-image")


def _settings(folder: Path) -> Iterator[Case]:
    rc, blank = folder / "gimprc", folder / "blank"
    rc.write_text(RC)
    blank.write_text("  \n" + RC)
    for key, value, differs in (
        ("theme", '"Dark"', ""),
        ("theme", '"Light"', ""),
        ("undo-levels", "100", ""),
        ("undo-levels", "10", ""),
        ("layer-new-name", '"Square"', ""),
        ("layer-new-name-2", '"My Square"', "config-quotes"),
        ("missing", "1", ""),
        (["tool", '"paint"'], "3", ""),
        (["tool", '"erase"'], "3", ""),
    ):
        rule = {"key": key, "value": value}
        yield _case("check_config_status", f"{key} {value}", rc, rule, differs)
    rule = {"key": "undo-levels", "value": "100"}
    yield _case("check_config_status", "a line of blanks", blank, rule, "config-blank-line")
