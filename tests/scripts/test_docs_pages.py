"""Generated pages of the documentation: complete, and safe Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from agent_server.api.app import create_app
from agent_server.settings import CommandSettings, Settings
from envs.io.settings import EnvSettings
from scripts import docs_pages


class Inner(BaseModel):
    rate: float = Field(0.5, description="a | b <c>")


class Outer(BaseModel):
    name: str = Field(description="who")
    inner: Inner = Inner()
    tags: tuple[str, ...] = ()
    limit: int | None = None


def test_fields_are_listed_with_dotted_keys() -> None:
    assert docs_pages.field_rows(Outer) == [
        ("name", "required", "who"),
        ("inner.rate", "0.5", "a | b <c>"),
        ("tags", "empty", ""),
        ("limit", "none", ""),
    ]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a | b <c>", "a \\| b &lt;c>"),
        ("two\nlines", "two lines"),
        ("`<kept>` <b>", "`<kept>` &lt;b>"),
    ],
)
def test_a_cell_stays_a_cell(text: str, escaped: str) -> None:
    assert docs_pages.cell(text) == escaped


def test_code_with_backticks_is_still_code() -> None:
    assert docs_pages.code("a`b") == "`` a`b ``"
    assert docs_pages.code("") == ""


def test_links_of_root_pages_lead_to_pages_or_to_the_repository() -> None:
    text = "[a](docs/gyms.md#x) [b](tests/test_x.py) [c](SECURITY.md) [d](https://e.org) [e](#f)"
    assert docs_pages.root_page(text, "https://h/r") == (
        "[a](gyms.md#x) [b](https://h/r/blob/main/tests/test_x.py) [c](security.md) "
        "[d](https://e.org) [e](#f)"
    )


def test_modules_without_docstring_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "__init__.py").write_text('"""The kit."""')
    (tmp_path / "kit" / "bare.py").write_text("X = 1")
    (tmp_path / "kit" / "page.py").write_text('"""Pages.\n\nMore."""')
    assert docs_pages.api_modules(["kit"], tmp_path) == [docs_pages.Module("kit.page", "Pages.")]
    with pytest.raises(FileNotFoundError, match="there is no gone"):
        docs_pages.api_modules(["gone"], tmp_path)


def test_the_api_reference_has_modules_in_every_section() -> None:
    assert all(docs_pages.sections().values())


def test_the_command_line_page_names_every_command() -> None:
    page = docs_pages.cli_page()
    commands = ["train", "demo", "eval compare", "gym audit", "serve", "mcp", "doctor", "bench"]
    assert not [name for name in commands if f"# `deskhand {name}`" not in page]


def test_the_configuration_page_has_variables_files_and_boxes() -> None:
    page = docs_pages.configuration_page()
    models = (Settings, CommandSettings, EnvSettings)
    keys = [variable for model in models for variable in model.variables()]
    keys += ["reinforce.lr", "api_key_env", "memory_mb"]
    assert not [key for key in keys if f"`{key}`" not in page]


def test_the_http_page_has_every_route_and_schema() -> None:
    document = create_app(Settings()).openapi()
    page = docs_pages.http_page(document)
    assert not [path for path in document["paths"] if f" {path}`" not in page]
    assert not [name for name in document["components"]["schemas"] if f"## `{name}`" not in page]
