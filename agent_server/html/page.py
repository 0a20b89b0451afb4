"""HTML pages that are one file: jinja2 templates on a shared base, pictures as data URLs.

A template starts with `{% extends "base.html" %}` and fills the block `content` (and `style`, for
CSS of its own). `parts.html` has macros that several reports use.

Guarantees: every value is escaped unless it is `Markup`; an undefined variable is an error.
"""

from __future__ import annotations

import base64
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

HERE = Path(__file__).parent


def page_templates(folder: Path) -> Environment:
    """An environment that looks for templates in `folder` first, then among the shared ones."""
    environment = Environment(
        loader=FileSystemLoader([folder, HERE]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["page_css"] = Markup((HERE / "page.css").read_text())
    return environment


def picture_url(picture: bytes, name: str) -> str:
    """A data URL; the file name's suffix says the format."""
    media_type = name.rsplit(".", 1)[-1].replace("jpg", "jpeg")
    return f"data:image/{media_type};base64,{base64.b64encode(picture).decode()}"
