"""Several changes of a document as one step that happens completely or not at all."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self


class OneStep:
    """Context manager: one entry of the undo list, which is undone when the block raises.

    A class, because contextlib's generators set the traceback of the exception that passes, which
    UNO's exceptions do not allow.
    """

    def __init__(self, doc: Any, title: str) -> None:
        self._manager = doc.getUndoManager()
        self._title = title

    def __enter__(self) -> Self:
        self._manager.enterUndoContext(self._title)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        manager = self._manager
        manager.leaveUndoContext()
        has_entry = manager.isUndoPossible() and manager.getCurrentUndoActionTitle() == self._title
        if error is not None and has_entry:
            manager.undo()
