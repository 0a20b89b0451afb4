"""The office, and the document that a call means."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from envs.apps.office.paths import absolute_path
from envs.apps.office.registry import Kind, OfficeError

SERVICES: dict[str, str] = {
    "calc": "com.sun.star.sheet.SpreadsheetDocument",
    "writer": "com.sun.star.text.TextDocument",
    "impress": "com.sun.star.presentation.PresentationDocument",
}


class Office:
    """A running soffice, by its UNO component context."""

    def __init__(self, context: Any) -> None:
        services = context.ServiceManager
        self.desktop: Any = services.createInstanceWithContext(
            "com.sun.star.frame.Desktop", context
        )

    def documents(self) -> Iterator[Any]:
        """Models of the open documents."""
        components = self.desktop.getComponents().createEnumeration()
        while components.hasMoreElements():
            component = components.nextElement()
            if kind_of(component) is not None:
                yield component

    def document(self, kind: Kind, name: str | None) -> Any:
        """The document that a call means. Raises OfficeError(not_found), naming what is open."""
        if name is None:
            # Every request to the office costs time, and this answers most calls with two of them.
            current = self.desktop.getCurrentComponent()
            if current is not None and is_kind(current, kind):
                return current
        candidates = [doc for doc in self.documents() if kind_of(doc) == kind]
        if name is not None:
            for has_name in (has_path_or_title, has_file_name):
                matches = [doc for doc in candidates if has_name(doc, name)]
                if len(matches) == 1:
                    return matches[0]
                if matches:
                    raise OfficeError("bad_value", f"several documents are called {name!r}")
        elif candidates:
            return candidates[0]
        missing = f"no {kind} document" + (f" {name!r}" if name else "") + " is open"
        titles = ", ".join(f"{title_of(doc)} ({kind_of(doc)})" for doc in self.documents())
        raise OfficeError("not_found", f"{missing}; open: {titles or 'none'}")


def exception_name(error: Exception) -> str:
    """Name of a UNO or Python exception without its namespace."""
    return type(error).__name__.rpartition(".")[2]


def is_kind(document: Any, kind: Kind) -> bool:
    """Whether it is a document of that kind, which takes one request less than `kind_of`."""
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
    """The title that its window shows."""
    title: str = document.getTitle()
    return title


def has_path_or_title(document: Any, name: str) -> bool:
    """Whether this is its whole path or its title."""
    path = path_of(document)
    return title_of(document) == name or (path is not None and path == str(absolute_path(name)))


def has_file_name(document: Any, name: str) -> bool:
    """Whether this is its file's name without the folder."""
    path = path_of(document)
    return path is not None and os.path.basename(path) == name
