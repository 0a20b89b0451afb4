"""Equal contents make equal bytes."""

from __future__ import annotations

import copy
import datetime as dt
from typing import Any

import pytest

from envs.osworld.format.makers.documents import document_bytes

DOCUMENT: dict[str, Any] = {
    "body": [
        {"text": "Report", "style": "Title"},
        {"text": "Start", "style": "Heading 1"},
        {"runs": ["A ", {"text": "word", "bold": True}, " and ", {"text": "link", "link": "https://a.org/b"}]},
        {"text": "Middle", "align": "center", "spacing": 2.0, "before": 6, "indent": 1.0},
        {"text": "First", "list": "number"},
        {"text": "Second", "list": "bullet"},
        {"table": [[{"text": "Item", "bold": True}, "Price"], ["Pens", "3"]]},
        {"text": "New page", "break": True},
        {"runs": ["H", {"text": "2", "script": "sub"}, "O ", {"text": "m", "highlight": "FFFF00"}]},
        {"runs": [{"text": "all", "italic": True, "underline": True, "strike": True, "size": 14,
                   "color": "FF0000", "font": "Liberation Mono"}]},
        "The end.",
    ],
    "header": [{"text": "Head", "align": "right"}],
    "footer": [{"text": "Page {page} of {pages}", "align": "center"}],
    "page": {"width": 21.0, "height": 29.7, "left": 2.0},
    "comments": [["Is this right?", 3]],
}  # fmt: skip


def test_equal_contents_make_equal_bytes_whenever(monkeypatch: pytest.MonkeyPatch) -> None:
    before = document_bytes(DOCUMENT)

    class Later(dt.datetime):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> Later:
            return cls(2031, 5, 6, tzinfo=tz)

    monkeypatch.setattr(dt, "datetime", Later)
    assert document_bytes(copy.deepcopy(DOCUMENT)) == before
