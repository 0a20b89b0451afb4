"""Templates escape what they show, and fail on a name that nobody gave them."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from agent_server.html.page import page_templates, picture_url

PAGE = """{% extends "base.html" %}{% from "parts.html" import table, episode_step %}
{% block style %}.own{color:red}{% endblock %}
{% block content %}{{ table(["a<b"], [[text]]) }}{{ episode_step(step) }}{% endblock %}"""
STEP = {
    "number": 3,
    "picture": "",
    "ok": False,
    "result": "not_found: <i>",
    "person": ["person: <u>"],
    "text": "look",
    "prompt": "task: x",
    "notes": "policy version 2",
}


def render(folder: Path, template: str, **values: object) -> str:
    (folder / "own.html").write_text(template)
    return page_templates(folder).get_template("own.html").render(**values)


def test_a_page_extends_the_base_and_escapes_every_value(tmp_path: Path) -> None:
    page = render(tmp_path, PAGE, title="A & B", text="<script>", step=STEP)
    assert page.startswith("<!doctype html>")
    assert "<h1>A &amp; B</h1>" in page
    assert ".own{color:red}</style>" in page
    assert "font:15px" in page, "the shared style sheet"
    assert "<th>a&lt;b" in page
    assert "<td>&lt;script&gt;" in page
    assert '<span class="bad">not_found: &lt;i&gt;</span> policy version 2' in page
    assert "<u>" not in page
    assert "<img" not in page, "no picture was recorded"


def test_an_undefined_name_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UndefinedError):
        render(tmp_path, "{{ nothing }}")


@pytest.mark.parametrize(
    ("name", "media_type"), [("000.jpg", "jpeg"), ("000.jpeg", "jpeg"), ("1.png", "png")]
)
def test_the_suffix_names_the_media_type(name: str, media_type: str) -> None:
    assert picture_url(b"abc", name) == f"data:image/{media_type};base64,YWJj"
