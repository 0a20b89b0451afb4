from __future__ import annotations

from tasksets.desktop.catalog import TEMPLATES


def test_names_begin_with_the_area_and_keep_their_order() -> None:
    areas = [template.name.partition("_")[0] for template in TEMPLATES]
    assert list(dict.fromkeys(areas)) == [
        "browser",
        "calc",
        "files",
        "impress",
        "mail",
        "several",
        "writer",
    ]
    assert len(TEMPLATES) >= 95


def test_a_template_of_several_programs_names_them_all() -> None:
    for template in TEMPLATES:
        assert (len(template.apps) > 1) == template.name.startswith("several_"), template.name
