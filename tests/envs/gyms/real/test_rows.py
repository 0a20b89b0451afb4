"""How rows become a state."""

from __future__ import annotations

from envs.gyms.real.rows import fold_text, name_uniquely


def test_ends_of_lines_and_of_texts_say_nothing() -> None:
    assert fold_text("We came. \r\n\r\nAll of us.\n\n") == "We came.\n\nAll of us."


def test_rows_of_one_name_are_told_apart() -> None:
    rows = [(4, "Fair"), (5, "Fair"), (6, "Fair (2)")]
    assert name_uniquely(rows) == {4: "Fair", 5: "Fair (2)", 6: "Fair (2) (2)"}
