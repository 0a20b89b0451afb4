"""The package's own pages, as they are, on a loopback port."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler
from typing import Any

from envs.gyms.apps.miniwob.assets import package_path
from tests.loopback_server import serve


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serve_raw_pages() -> Iterator[str]:
    """Base URL of the package's folder `html`."""
    handler = partial(_QuietHandler, directory=str(package_path() / "html"))
    with serve(handler) as site:
        yield site
