"""A call of OSWorld's interface that is not carried out."""

from __future__ import annotations


class Refused(Exception):
    """A call that is not carried out: HTTP status, and why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
