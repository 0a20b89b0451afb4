"""The dialog of a field for files: what a page asks for, as an agent is told of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from envs.io.cdp import Json

CHOOSER_S = 1.0
"""A click on such a field opens its dialog within this time."""


@dataclass(frozen=True, slots=True)
class Chooser:
    """`node`: the id of the field's node."""

    node: int
    takes_several: bool

    @classmethod
    def read(cls, event: Json) -> Self:
        """Of Page.fileChooserOpened."""
        return cls(event["backendNodeId"], event["mode"] == "selectMultiple")

    @property
    def text(self) -> str:
        """Of the dialog."""
        if self.takes_several:
            return "file: the page asks for files; answer with their names, one on each line"
        return "file: the page asks for a file; answer with its name"
