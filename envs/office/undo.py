"""Changes that are made whole or not at all."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self


class OneStep:
    """One entry of the undo list; when the block raises, what it had done is undone.

    A class, because contextlib's generators set the traceback of what they pass on, which
    exceptions of UNO do not allow.
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
        done = manager.isUndoPossible() and manager.getCurrentUndoActionTitle() == self._title
        if error is not None and done:
            manager.undo()
