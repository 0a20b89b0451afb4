"""The files of the `miniwob` package, found without importing it.

Guarantees: what can be read is fixed when the table is made, so no path reaches outside of it; the
pages are served as they are but for one script of ours, placed right behind their `core.js`.
"""

from __future__ import annotations

import importlib.util
import mimetypes
import re
from functools import cache
from pathlib import Path

SCRIPT = "page.js"
SERVED = ("common", "core", "flight", "miniwob")
_CORE = re.compile(r'<script src="[./]*core/core\.js"></script>')
_REGISTERED = re.compile(r'id="miniwob/([A-Za-z0-9.-]+)-v\d+"')
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


def installed() -> bool:
    return _package() is not None


@cache
def _package() -> Path | None:
    found = importlib.util.find_spec("miniwob")
    places = (found.submodule_search_locations if found else None) or []
    return next((Path(place) for place in places if (Path(place) / "html").is_dir()), None)


def package() -> Path:
    """Raises KeyError when the package is not installed."""
    found = _package()
    if found is None:
        raise KeyError("the gym 'miniwob' needs its pages: pip install 'deskhand[miniwob]'")
    return found


@cache
def registered() -> tuple[str, ...]:
    """The tasks that the package registers, in its order; not every page it has is one."""
    source = (package() / "registration.py").read_text()
    return tuple(dict.fromkeys(_REGISTERED.findall(source)))


def page_of(template: str) -> str:
    """Path of a task's page below the served files."""
    if template.startswith("flight."):
        return f"{template.replace('.', '/')}/wrapper.html"
    return f"miniwob/{template}.html"


@cache
def table() -> dict[str, Path]:
    """Every file that is served, by its path below /miniwob/."""
    html = package() / "html"
    return {
        file.relative_to(html).as_posix(): file
        for part in SERVED
        for file in sorted((html / part).rglob("*"))
        if file.is_file() and not file.is_symlink()
    }


@cache
def content(path: str) -> tuple[bytes, str] | None:
    """Bytes and content type; None if there is no such file."""
    if path == SCRIPT:
        return (Path(__file__).parent / SCRIPT).read_bytes(), _TYPES[".js"]
    file = table().get(path)
    if file is None:
        return None
    kind = _TYPES.get(file.suffix.lower()) or mimetypes.guess_type(file.name)[0]
    data = file.read_bytes()
    if file.suffix == ".html":
        ours = f'<script src="/miniwob/{SCRIPT}"></script>'
        text = data.decode("utf-8", "replace")
        data = _CORE.sub(lambda found: found[0] + ours, text, count=1).encode()
    return data, kind or "application/octet-stream"
