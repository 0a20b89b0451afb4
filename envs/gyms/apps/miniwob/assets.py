"""The files of the `miniwob` package, located without importing it.

Guarantees: the set of readable files is fixed when it is first listed, so no path reaches outside
of it; pages are served unchanged but for one script of ours, right behind their `core.js`.
"""

from __future__ import annotations

import importlib.util
import mimetypes
import re
from functools import cache
from pathlib import Path

SCRIPT = "page.js"
SERVED_FOLDERS = ("common", "core", "flight", "miniwob")
_CORE = re.compile(r'<script src="[./]*core/core\.js"></script>')
_REGISTRATION = re.compile(r'id="miniwob/([A-Za-z0-9.-]+)-v\d+"')
_CONTENT_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


def is_installed() -> bool:
    """Whether the package is there with its pages."""
    return _find_package() is not None


@cache
def _find_package() -> Path | None:
    spec = importlib.util.find_spec("miniwob")
    places = (spec.submodule_search_locations if spec else None) or []
    return next((Path(place) for place in places if (Path(place) / "html").is_dir()), None)


def package_path() -> Path:
    """The package's folder. Raises KeyError when it is not installed."""
    path = _find_package()
    if path is None:
        raise KeyError("the gym 'miniwob' needs its pages: pip install 'deskhand[miniwob]'")
    return path


@cache
def registered_templates() -> tuple[str, ...]:
    """The tasks that the package registers, in its order. Not every page it has is one."""
    source = (package_path() / "registration.py").read_text()
    return tuple(dict.fromkeys(_REGISTRATION.findall(source)))


def page_of(template: str) -> str:
    """Path of a task's page below the served files."""
    if template.startswith("flight."):
        return f"{template.replace('.', '/')}/wrapper.html"
    return f"miniwob/{template}.html"


@cache
def served_files() -> dict[str, Path]:
    """Every file that is served, by its path below /miniwob/."""
    html = package_path() / "html"
    return {
        file.relative_to(html).as_posix(): file
        for folder in SERVED_FOLDERS
        for file in sorted((html / folder).rglob("*"))
        if file.is_file() and not file.is_symlink()
    }


@cache
def read_file(path: str) -> tuple[bytes, str] | None:
    """Bytes and content type; None if there is no such file."""
    if path == SCRIPT:
        return (Path(__file__).parent / SCRIPT).read_bytes(), _CONTENT_TYPES[".js"]
    file = served_files().get(path)
    if file is None:
        return None
    content_type = _CONTENT_TYPES.get(file.suffix.lower()) or mimetypes.guess_type(file.name)[0]
    data = file.read_bytes()
    if file.suffix == ".html":
        script = f'<script src="/miniwob/{SCRIPT}"></script>'
        text = data.decode("utf-8", "replace")
        data = _CORE.sub(lambda match: match[0] + script, text, count=1).encode()
    return data, content_type or "application/octet-stream"
