"""Trac on the copy of the data that a request names, behind one threaded server.

    python3 -I serve.py PORT

Runs inside the box, with Trac at /app. Guarantees: only the gym server can send requests here, and
no header of a page reaches it; during a request the time is what the gym says; a copy that was
replaced by another one is opened anew.
"""

from __future__ import annotations

import mimetypes
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

sys.path[:0] = ["/app", "/inside"]

from trac.util import datefmt  # noqa: E402

_clock = threading.local()


def get_time() -> float:
    """Seconds since 1970, by the clock of the request."""
    return getattr(_clock, "seconds", None) or time.time()


def get_datetime(tz: Any = None) -> datetime:
    """The same as a date."""
    return datetime.fromtimestamp(get_time(), tz)


# Before anything else of Trac is imported: its modules keep the functions that they find here.
datefmt.time_now, datefmt.datetime_now = get_time, get_datetime

import fill  # type: ignore[import-not-found]  # noqa: E402
from trac.db.sqlite_backend import SQLiteConnection  # noqa: E402
from trac.env import Environment, env_cache, env_cache_lock  # noqa: E402
from trac.web.main import dispatch_request  # noqa: E402

# A kept connection would go on reading a copy that was replaced. Trac ends them for all copies at
# once only, in the middle of other requests too, and the process with them.
SQLiteConnection.poolable = False

# Nothing in a session's data is code, however it came there.
Environment.plugins_dir = property(lambda environment: "/nowhere")

PREFIX = "/trac"
STYLES = "/trac/chrome/common/"
STYLES_FOLDER = Path("/app/trac/htdocs")
DATA = Path("/data")
KEPT = 48
"""Copies that are known: those of the sessions of a busy host."""
_open: OrderedDict[str, tuple[int, int]] = OrderedDict()
_turn = threading.Lock()
"""Trac answers one request at a time: with several at once, SQLite ended the process every few
minutes. Python runs one thread at a time anyway, so the wait costs little."""
Respond = Callable[..., Any]


def answer(environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
    """One request."""
    name = environ.get("HTTP_X_DESKHAND_DATA", "")
    if not (name.isascii() and name.isalnum()):
        respond("200 OK", [("Content-Type", "text/plain")])
        return [b"ready"]
    if file := _find_style(environ["PATH_INFO"]):
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        respond("200 OK", [("Content-Type", kind), ("Cache-Control", "max-age=86400")])
        return [file.read_bytes()]
    with _turn:
        return _answer_in_turn(environ, respond, name)


def _find_style(path: str) -> Path | None:
    """A style, script or picture of Trac's own, the same in all copies: a page has twenty of them,
    and each costs Trac as much as a page."""
    if not path.startswith(STYLES) or "\0" in path:
        return None
    file = (STYLES_FOLDER / path.removeprefix(STYLES)).resolve()
    return file if file.is_relative_to(STYLES_FOLDER) and file.is_file() else None


def _answer_in_turn(environ: dict[str, Any], respond: Respond, name: str) -> Iterable[bytes]:
    _clock.seconds = int(environ.get("HTTP_X_DESKHAND_CLOCK") or 0)
    path = str(DATA / name)
    _forget_what_was_replaced(path)
    environ["SCRIPT_NAME"] = PREFIX
    environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(PREFIX)
    environ["trac.env_path"] = path
    # No page can ask for this: it needs the data of a world, which no session has.
    if environ["PATH_INFO"] == "/deskhand-fill" and name.startswith("w"):
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        respond("200 OK", [("Content-Type", "application/json")])
        return [fill.fill(path, body)]
    return list(dispatch_request(environ, respond))


def _forget_what_was_replaced(path: str) -> None:
    status = Path(path).stat()
    mark = (status.st_ino, status.st_ctime_ns)
    with env_cache_lock:
        if _open.get(path) != mark:
            env_cache.pop(path, None)
            _open[path] = mark
        _open.move_to_end(path)
        while len(_open) > KEPT:
            oldest, _ = _open.popitem(last=False)
            env_cache.pop(oldest, None)


class Server(ThreadingMixIn, WSGIServer):
    """A thread for each connection: a page asks for its styles and scripts side by side."""

    daemon_threads = True
    request_queue_size = 64


class Handler(WSGIRequestHandler):
    """Without a line in the log for each request."""

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
    server.set_app(answer)
    server.serve_forever()
