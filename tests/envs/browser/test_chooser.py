"""What an agent is told of a field for files."""

from __future__ import annotations

import pytest

from envs.browser.chooser import Chooser


@pytest.mark.parametrize(
    ("mode", "words"),
    [("selectSingle", "answer with its name"), ("selectMultiple", "one on each line")],
)
def test_the_dialog_says_how_many_files_are_taken(mode: str, words: str) -> None:
    chooser = Chooser.read({"backendNodeId": 7, "mode": mode, "frameId": "f"})
    assert (chooser.node, chooser.takes_several) == (7, mode == "selectMultiple")
    assert words in chooser.text
