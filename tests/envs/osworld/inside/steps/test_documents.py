"""The setup step that makes a text document."""

from __future__ import annotations

from docx import Document

from tests.envs.osworld.inside.steps.headless import Headless, run


def test_blocks_and_marks(machine: Headless) -> None:
    body = ["Dear Ada,", {"runs": [{"text": "bold", "bold": True}, " plain"]}, {"table": [["a"]]}]
    run(machine, "document", path="/home/user/letters/a.docx", body=body)
    document = Document(str(machine.home / "letters/a.docx"))
    assert [paragraph.text for paragraph in document.paragraphs] == ["Dear Ada,", "bold plain"]
    assert [bool(part.bold) for part in document.paragraphs[1].runs] == [True, False]
    assert document.tables[0].cell(0, 0).text == "a"
