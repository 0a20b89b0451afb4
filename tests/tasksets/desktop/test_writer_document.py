from __future__ import annotations

from tasksets.desktop.actions import key
from tasksets.desktop.writer_document import edit_document, move_to_paragraph

PATH = "/home/user/Documents/note.docx"


def test_a_task_turns_one_document_into_another_and_saves_it() -> None:
    draft = edit_document(
        file_name="note.docx",
        instruction="Make it B.",
        before={"body": ["A"]},
        after={"body": ["B"]},
        api=[key("b")],
        gui=[key("c")],
    )
    assert draft.config[0]["parameters"] == {"path": PATH, "body": ["A"]}
    assert draft.evaluator["func"] == ["document_is", "only_changed"]
    assert draft.evaluator["expected"][0]["rules"] == {"body": ["B"]}
    assert draft.evaluator["expected"][1]["rules"]["changed"] == ["Documents/note.docx"]
    assert [action["type"] for action in draft.api] == ["key", "tool", "done"]
    assert [action.get("keys") for action in draft.gui or ()] == [["c"], ["ctrl", "s"], None]


def test_a_task_may_have_no_gui_oracle() -> None:
    draft = edit_document(file_name="note.docx", instruction="", before={}, after={}, api=[])
    assert draft.gui is None


def test_the_cursor_moves_from_the_start_of_the_document() -> None:
    assert move_to_paragraph(1) == [key("ctrl", "home")]
    assert move_to_paragraph(4) == [key("ctrl", "home"), key("ctrl", "down", repeat=3)]
