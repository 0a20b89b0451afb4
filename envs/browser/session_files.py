"""Files of a browser session: those that its agent may choose for an upload, and its downloads.

Guarantees: both lie in the browser's box and in no folder that pages could name; names are clean;
a download that is too large, or one too many, is broken off, and one that did not end is no file.
What a download asks of the network goes the way of all requests of the browser. Nothing is kept
over the next `begin`.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets as randomness
from collections.abc import Sequence
from dataclasses import dataclass

from envs.browser.box_folder import BoxFolder
from envs.browser.chromium import Chromium
from envs.browser.secret_book import SecretBook
from envs.contract.files import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_FILES_BYTES,
    FileInfo,
    FileRefused,
    NoSuchFile,
    SessionFileList,
    clean_name,
    make_unique,
)
from envs.io.cdp import CdpClosed, CdpError, Json

UPLOADS, DOWNLOADS = "up", "down"
END_S = 10.0
"""Downloads that are under way when the files are listed get so long."""
_POLL_S = 0.05
MAX_NOTES, MAX_BEGUN = 20, 1000


@dataclass(slots=True)
class _Download:
    name: str
    state: str = "inProgress"
    size: int = 0
    """Bytes that have come."""


class SessionFiles:
    """Of one session. Not for concurrent calls."""

    def __init__(self, secrets: SecretBook) -> None:
        self._secrets = secrets
        self._token = ""
        """The folder's name; "" until there is one."""
        self._chromium: Chromium | None = None
        self._generation = -1
        self._context, self._events = "", ""
        """The browser context whose downloads are kept, and the CDP session that tells of them."""
        self._uploads: dict[str, int] = {}
        self._downloads: dict[str, _Download] = {}
        self._begun: dict[str, str] = {}
        """What downloads of the whole browser are called by their pages."""
        self._news: list[str] = []
        self._notes: list[str] = []

    async def begin(self) -> None:
        """Forgets the files of the task before, and those that are still under way."""
        chromium, token, events = self._chromium, self._token, self._events
        context, self._context = self._context, ""
        self._chromium, self._token, self._events = None, "", ""
        self._uploads, self._downloads, self._news, self._notes = {}, {}, [], []
        self._begun = {}
        # A browser that has ended took its folder with it.
        if chromium is None or not chromium.alive or chromium.generation != self._generation:
            return
        if events:
            connection = chromium.connection
            connection.on_events(events, None)
            # The context may be gone, or serve the next task.
            for method, params in (
                ("Browser.setDownloadBehavior", {"behavior": "deny", "browserContextId": context}),
                ("Target.detachFromTarget", {"sessionId": events}),
            ):
                with contextlib.suppress(CdpError):
                    await connection.call(method, params)
        folder = chromium.files.open_folder(token)
        try:
            folder.remove_folder(UPLOADS)
            folder.remove_folder(DOWNLOADS)
        finally:
            folder.close()
        chromium.files.remove_folder(token)

    async def keep_downloads(self, chromium: Chromium, context: str) -> None:
        """From now on what pages of the context download is kept. Raises CdpError."""
        self._open(chromium)
        with contextlib.closing(self._folder(DOWNLOADS)) as folder:
            path = folder.path
        connection = chromium.connection
        # A session of its own: the events of a context go to whoever asked for its downloads.
        attached = await connection.call("Target.attachToBrowserTarget")
        self._context, self._events = context, attached["sessionId"]
        connection.on_events(self._events, self._on_event)
        behavior: Json = {
            "behavior": "allowAndName",
            "browserContextId": context,
            "downloadPath": path,
            "eventsEnabled": True,
        }
        await connection.call("Browser.setDownloadBehavior", behavior, self._events)

    def put(self, chromium: Chromium, name: str, data: bytes) -> FileInfo:
        """Takes a file in; one of the same name is replaced. Raises FileRefused."""
        others = {other: size for other, size in self._uploads.items() if other != name}
        if clean_name(name) != name:
            raise FileRefused(f"{name[:60]!r} is no file name of one part")
        if len(others) >= MAX_FILES:
            raise FileRefused(f"a session takes {MAX_FILES} files")
        if len(data) > MAX_FILE_BYTES or sum(others.values()) + len(data) > MAX_FILES_BYTES:
            most = f"{MAX_FILE_BYTES} bytes a file and {MAX_FILES_BYTES} in all"
            raise FileRefused(f"{name}: a session takes {most}")
        self._open(chromium)
        with contextlib.closing(self._folder(UPLOADS)) as folder:
            folder.write(name, data)
        self._uploads[name] = len(data)
        return FileInfo(name=name, size=len(data), is_input=True)

    def choose(self, names: Sequence[str]) -> list[str]:
        """Paths in the box. Raises NoSuchFile."""
        assert self._chromium is not None or not names
        for name in names:
            if name not in self._uploads:
                known = ", ".join(self._uploads) or "none"
                raise NoSuchFile(f"there is no file {name[:60]!r}; there are: {known}")
        base = "" if self._chromium is None else self._chromium.files.path
        return [f"{base}/{self._token}/{UPLOADS}/{name}" for name in names]

    @property
    def names(self) -> tuple[str, ...]:
        """Of what can be uploaded."""
        return tuple(self._uploads)

    async def list(self) -> SessionFileList:
        """All files but downloads that show a secret; those under way are waited for, not for
        ever."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_S):
                while any(each.state == "inProgress" for each in self._downloads.values()):
                    await asyncio.sleep(_POLL_S)
        put = [FileInfo(name=n, size=s, is_input=True) for n, s in self._uploads.items()]
        ended, notes = [], list(self._notes)
        for guid, download in self._downloads.items():
            if download.state == "inProgress":
                notes.append(f"{download.name} was still under way")
            elif download.state == "completed":
                try:
                    self._read_download(guid, download)
                except NoSuchFile as error:
                    notes.append(str(error))
                else:
                    ended.append(FileInfo(name=download.name, size=download.size, is_input=False))
        return SessionFileList(
            files=tuple(put + ended), notes=tuple(self._secrets.redact(note) for note in notes)
        )

    def read(self, name: str) -> bytes:
        """A download, or a file that was put there. Raises NoSuchFile."""
        for guid, download in self._downloads.items():
            if download.name == name and download.state == "completed":
                return self._read_download(guid, download)
        if name in self._uploads:
            return self._read(UPLOADS, name)
        raise NoSuchFile(f"there is no file {name[:60]!r}")

    def take_news(self) -> str:
        """A sentence about what was downloaded since the last call; "" if nothing was."""
        news, self._news = self._news, []
        return "; ".join(news)

    def _open(self, chromium: Chromium) -> None:
        if self._token and self._generation == chromium.generation:
            return
        self._chromium, self._generation = chromium, chromium.generation
        self._token = randomness.token_hex(8)
        self._uploads, self._downloads = {}, {}

    def _folder(self, name: str) -> BoxFolder:
        assert self._chromium is not None
        with contextlib.closing(self._chromium.files.open_folder(self._token)) as folder:
            return folder.open_folder(name)

    def _read_download(self, guid: str, download: _Download) -> bytes:
        data = self._read(DOWNLOADS, guid)
        if self._secrets.is_in(data):
            raise NoSuchFile(f"{download.name} shows a secret")
        return data

    def _read(self, folder_name: str, name: str) -> bytes:
        try:
            with contextlib.closing(self._folder(folder_name)) as folder:
                return folder.read(name, MAX_FILE_BYTES)
        except OSError as error:
            raise NoSuchFile(f"the file is gone: {error.strerror}") from error

    def _on_event(self, method: str, params: Json) -> None:
        if method == "Browser.downloadWillBegin":
            self._begun[params["guid"]] = params["suggestedFilename"]
            if len(self._begun) > MAX_BEGUN:
                del self._begun[next(iter(self._begun))]
        elif method == "Browser.downloadProgress":
            download = self._downloads.get(params["guid"]) or self._adopt(params["guid"])
            if download is None or download.state != "inProgress":
                return
            download.state, download.size = params["state"], int(params["receivedBytes"])
            kept = [each.size for each in self._downloads.values() if each.state != "canceled"]
            if download.state == "canceled":
                self._note(f"{download.name} did not arrive")
            elif download.size > MAX_FILE_BYTES or sum(kept) > MAX_FILES_BYTES:
                download.state = "canceled"
                self._break_off(params["guid"], f"{download.name}: more bytes than are kept")
            elif download.state == "completed":
                self._news.append(f"downloaded {download.name} ({download.size} bytes)")

    def _adopt(self, guid: str) -> _Download | None:
        """A download that was begun, if it is of this session: Chromium tells of those of all
        contexts, and puts each into the folder of its own."""
        if guid not in self._begun or not self._is_in_folder(guid):
            return None
        taken = {each.name for each in self._downloads.values()} | self._uploads.keys()
        name = make_unique(clean_name(self._begun.pop(guid)), taken)
        if len(self._downloads) >= MAX_FILES:
            self._break_off(guid, f"{name}: a session keeps {MAX_FILES} downloads")
            return None
        self._downloads[guid] = _Download(name)
        return self._downloads[guid]

    def _is_in_folder(self, guid: str) -> bool:
        try:
            with contextlib.closing(self._folder(DOWNLOADS)) as folder:
                return folder.has(guid) or folder.has(f"{guid}.crdownload")
        except OSError:
            return False

    def _break_off(self, guid: str, note: str) -> None:
        self._note(note)
        if self._chromium is None:
            return
        with contextlib.suppress(CdpClosed):
            call = self._chromium.connection.send(
                "Browser.cancelDownload", {"guid": guid}, self._events
            )
            # It may have ended meanwhile: its file is removed in any case.
            call.add_done_callback(lambda done: done.cancelled() or done.exception())
        with contextlib.suppress(OSError), contextlib.closing(self._folder(DOWNLOADS)) as folder:
            folder.remove(guid)

    def _note(self, note: str) -> None:
        self._news.append(note)
        if len(self._notes) < MAX_NOTES:
            self._notes.append(note)
