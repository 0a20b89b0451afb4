"""The office as one connection sees it, and which document a call means."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from envs.office.registry import Kind, OfficeError

SERVICES: dict[str, str] = {
    "calc": "com.sun.star.sheet.SpreadsheetDocument",
    "writer": "com.sun.star.text.TextDocument",
    "impress": "com.sun.star.presentation.PresentationDocument",
}
CONNECT_EVERY_S = 0.1


class Office:
    """One lasting connection to a running soffice. Raises OfficeError(tool_failed) without one."""

    def __init__(self, pipe: str, timeout_s: float) -> None:
        import uno

        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext(
            "com.sun.star.bridge.UnoUrlResolver", local
        )
        address = f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext"
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                self.context: Any = resolver.resolve(address)
                break
            except Exception as error:
                if exception_name(error) != "NoConnectException":
                    raise
                if time.monotonic() > deadline:
                    raise OfficeError("tool_failed", "LibreOffice is not running") from error
                time.sleep(CONNECT_EVERY_S)
        self.desktop: Any = self.create("com.sun.star.frame.Desktop")

    def create(self, service: str) -> Any:
        """A new instance of a UNO service."""
        return self.context.ServiceManager.createInstanceWithContext(service, self.context)

    def documents(self) -> Iterator[Any]:
        """Models of the open documents."""
        found = self.desktop.getComponents().createEnumeration()
        while found.hasMoreElements():
            component = found.nextElement()
            if kind_of(component) is not None:
                yield component

    def document(self, kind: Kind, named: str | None) -> Any:
        """The document that a call means. Raises OfficeError(not_found), naming what is open."""
        if named is None:
            # Each question to the office takes its time, and this answers most calls with two.
            current = self.desktop.getCurrentComponent()
            if current is not None and is_kind(current, kind):
                return current
        mine = [doc for doc in self.documents() if kind_of(doc) == kind]
        if named is not None:
            for matches in (is_called, is_file_named):
                chosen = [doc for doc in mine if matches(doc, named)]
                if len(chosen) == 1:
                    return chosen[0]
                if chosen:
                    raise OfficeError("bad_value", f"several documents are called {named!r}")
        elif mine:
            return mine[0]
        wanted = f"no {kind} document" + (f" {named!r}" if named else "") + " is open"
        titles = ", ".join(f"{title_of(doc)} ({kind_of(doc)})" for doc in self.documents())
        raise OfficeError("not_found", f"{wanted}; open: {titles or 'none'}")


def exception_name(error: Exception) -> str:
    """Name of a UNO or Python exception without its namespace."""
    return type(error).__name__.rpartition(".")[2]


def is_kind(document: Any, kind: Kind) -> bool:
    supports = getattr(document, "supportsService", None)
    return supports is not None and bool(supports(SERVICES[kind]))


def kind_of(document: Any) -> Kind | None:
    """calc, writer or impress; None for anything else (the start centre, the Basic IDE)."""
    supports = getattr(document, "supportsService", None)
    if supports is None:
        return None
    for kind, service in SERVICES.items():
        if supports(service):
            return kind  # type: ignore[return-value]
    return None


def path_of(document: Any) -> str | None:
    """Path of the document's file; None when it was never saved."""
    url = document.getURL()
    return unquote(urlsplit(url).path) if url.startswith("file:") else None


def title_of(document: Any) -> str:
    title: str = document.getTitle()
    return title


def is_called(document: Any, name: str) -> bool:
    """By whole path or title."""
    path = path_of(document)
    return title_of(document) == name or (path is not None and path == os.path.abspath(name))


def is_file_named(document: Any, name: str) -> bool:
    """By the file's name without its folder."""
    path = path_of(document)
    return path is not None and os.path.basename(path) == name


def property_value(name: str, value: Any) -> Any:
    """One named argument of a UNO call."""
    import uno

    made = uno.createUnoStruct("com.sun.star.beans.PropertyValue")
    made.Name, made.Value = name, value
    return made


def file_url(path: str) -> str:
    import uno

    url: str = uno.systemPathToFileUrl(os.path.abspath(path))
    return url
