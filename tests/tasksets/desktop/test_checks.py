from __future__ import annotations

from tasksets.desktop.checks import (
    all_of,
    answer_is,
    check_file,
    exact_match,
    folder_is,
    mail_is,
    only_changed,
)


def test_an_evaluator_lists_its_parts_side_by_side() -> None:
    evaluator = all_of(
        check_file("text_is", "/home/user/a.txt", "A", strip=True), answer_is(3.5, tolerance=0.1)
    )
    assert evaluator == {
        "func": ["text_is", "same_answer"],
        "result": [{"type": "vm_file", "path": "/home/user/a.txt"}, {"type": "answer"}],
        "expected": [
            {"type": "rule", "rules": "A"},
            {"type": "rule", "rules": {"expected": 3.5, "tolerance": 0.1}},
        ],
        "options": [{"strip": True}, {}],
        "conj": "and",
    }


def test_only_changed_takes_paths_below_the_home_folder() -> None:
    part = only_changed(added=["/home/user/Documents/a.txt"], removed=["/home/user/b.txt"])
    assert part["expected"]["rules"] == {
        "added": ["Documents/a.txt"],
        "changed": [],
        "removed": ["b.txt"],
    }


def test_parts_name_their_getters() -> None:
    folder = folder_is("/home/user/x", {"a.txt": "A", "sub": None})
    assert folder["result"] == {"type": "vm_folder", "path": "/home/user/x"}
    assert folder["expected"]["rules"] == {"a.txt": "A", "sub": None}
    assert mail_is({"Inbox": []})["result"] == {"type": "mailboxes"}
    tabs = exact_match({"type": "chromium_tabs"}, ["file:///a"])
    assert tabs["expected"] == {"type": "rule", "rules": {"expected": ["file:///a"]}}
