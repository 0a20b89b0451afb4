"""Metrics of Thunderbird as OSWorld scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.compat.thunderbird import check_thunderbird_filter_compat

FILTER = """version="9"
name="Work"
enabled="yes"
action="Mark read"
action="Move to folder"
actionValue="mailbox://nobody@Local%20Folders/Work"
condition="AND (subject,contains,report)"
"""


def score(tmp_path: Path, text: str, **record: object) -> float:
    file = tmp_path / "msgFilterRules.dat"
    file.write_text(text)
    return check_thunderbird_filter_compat(file, {"expect": [record]})


def test_of_several_actions_the_last_counts(tmp_path: Path) -> None:
    assert score(tmp_path, FILTER, name="Work", action="Move to folder") == 1
    assert score(tmp_path, FILTER, name="Work", action="Mark read") == 0


def test_conditions_are_compared_as_they_are_written(tmp_path: Path) -> None:
    assert score(tmp_path, FILTER, condition=["AND (subject,contains,report)"]) == 1
    assert score(tmp_path, FILTER, condition=["AND (subject,contains,other)"]) == 0


def test_a_file_begins_with_a_name(tmp_path: Path) -> None:
    with pytest.raises(UnboundLocalError):
        score(tmp_path, 'enabled="yes"\n', enabled="yes")
