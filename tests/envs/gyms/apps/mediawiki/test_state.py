"""The wiki's canonical state."""

from __future__ import annotations

from envs.gyms.apps.mediawiki.state import fold_text


def test_blank_lines_ends_of_lines_and_signatures_say_nothing() -> None:
    signed = (
        "== Visits ==  \n\nWho comes? [[User:Ana Berg|Ana Berg]] "
        "([[User talk:Ana Berg|talk]]) 09:01, 12 May 2026 (UTC)\n"
    )
    assert fold_text(signed) == "== Visits ==\nWho comes? ~~~~"
    assert fold_text("Who comes?\n\n~~~~") == "Who comes? ~~~~"
    assert fold_text("a b") != fold_text("ab")
