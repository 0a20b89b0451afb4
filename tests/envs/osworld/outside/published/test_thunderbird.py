"""Settings, filters and folders of Thunderbird."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.compat.thunderbird import (
    check_thunderbird_filter_compat,
    check_thunderbird_folder_compat,
)
from envs.osworld.outside.published.thunderbird import (
    check_thunderbird_filter,
    check_thunderbird_folder,
    check_thunderbird_prefs,
    check_thunderbird_prefs_compat,
)

ON = {"method": "eq", "ref": True}
FILTER = """version="9"
name="Sales"
enabled="yes"
type="17"
action="Move to folder"
actionValue="mailbox://nobody@Local%20Folders/Promotions"
condition="OR (subject,contains,discount)"
"""
ONE = "From - Mon Mar  3 09:00:00 2025\nX-Mozilla-Status: {}\nSubject: One\n\nHello\n\n"
TWO = "From - Tue Mar  4 09:00:00 2025\nX-Mozilla-Status: 0000\nSubject: Two\n\nYou\n\n"


def file(folder: Path, content: str | bytes, name: str = "a") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_settings(tmp_path: Path) -> None:
    path = file(tmp_path, '// prefs\nuser_pref("a.b", true);\nuser_pref("t", "x\\ny");\n')
    assert check_thunderbird_prefs(path, {"expect": {"a.b": ON}}) == 1
    assert check_thunderbird_prefs(path, {"expect": {"t": {"method": "re", "ref": "x\\ny"}}}) == 1
    assert check_thunderbird_prefs(path, {"expect": {"a.c": ON}}) == 0
    assert check_thunderbird_prefs(path, {"unexpect": {"a.b": ON}}) == 0
    assert check_thunderbird_prefs(file(tmp_path, b"\xff"), {}) == 0


def test_one_odd_line_does_not_matter(tmp_path: Path) -> None:
    path = file(tmp_path, 'user_pref("odd", \'x\');\nuser_pref("a.b", true);\n')
    assert check_thunderbird_prefs(path, {"expect": {"a.b": ON}}) == 1
    with pytest.raises(ValueError, match="Expecting value"):
        check_thunderbird_prefs_compat(path, {"expect": {"a.b": ON}})


def test_a_setting_may_be_wanted_and_unwanted(tmp_path: Path) -> None:
    path = file(tmp_path, 'user_pref("a.b", true);\n')
    rules = {"expect": {"a.b": {"method": "ne", "ref": 3}}, "unexpect": {"a.b": ON}}
    assert check_thunderbird_prefs(path, rules) == 0
    assert check_thunderbird_prefs_compat(path, rules) == 1


def test_filters(tmp_path: Path) -> None:
    expected = {"enabled": "yes", "action": "Move to folder"}
    path = file(tmp_path, FILTER)
    assert check_thunderbird_filter(path, {"expect": [expected]}) == 1
    assert check_thunderbird_filter(path, {"expect": [expected | {"enabled": "no"}]}) == 0
    assert check_thunderbird_filter(path, {"unexpect": [expected]}) == 0
    assert check_thunderbird_filter(file(tmp_path, "version=9"), {"expect": [expected]}) == 0
    assert check_thunderbird_filter(file(tmp_path, b"\xff"), {}) == 0


def test_all_of_one_term_is_any_of_it(tmp_path: Path) -> None:
    rules = {"expect": [{"condition": ["AND (subject,contains,discount)"]}]}
    assert check_thunderbird_filter(file(tmp_path, FILTER), rules) == 1
    assert check_thunderbird_filter_compat(file(tmp_path, FILTER), rules) == 0
    two = FILTER.replace("discount)", "discount) OR (from,is,a)")
    assert check_thunderbird_filter(file(tmp_path, two), rules) == 0


def test_terms_may_stand_in_any_order(tmp_path: Path) -> None:
    terms = ["AND (subject,contains,a)", "AND (from,is,b)"]
    path = file(tmp_path, FILTER.replace("OR (subject,contains,discount)", " ".join(terms)))
    rules = {"expect": [{"condition": terms[::-1]}]}
    assert check_thunderbird_filter(path, rules) == 1
    assert check_thunderbird_filter_compat(path, rules) == 0


def test_every_action_counts(tmp_path: Path) -> None:
    path = file(tmp_path, FILTER.replace("action=", 'action="Delete"\naction=', 1))
    rules = {"expect": [{"action": "Move to folder"}]}
    assert check_thunderbird_filter(path, rules) == 0
    assert check_thunderbird_filter_compat(path, rules) == 1


def test_the_messages_of_folders_are_compared(tmp_path: Path) -> None:
    gold = file(tmp_path, ONE.format("0000") + TWO, "gold")
    other_order = file(tmp_path, TWO + ONE.format("0001"))
    assert check_thunderbird_folder(other_order, gold) == 1
    assert check_thunderbird_folder(other_order, gold, ignore_status=False) == 0
    less = file(tmp_path, TWO, "less")
    assert check_thunderbird_folder(less, gold) == 0
    assert check_thunderbird_folder_compat(less, gold) == 1
    assert check_thunderbird_folder([gold], [gold, less]) == 0
    assert check_thunderbird_folder(file(tmp_path, b"\xff\x00", "b"), gold) == 0


def test_deleted_and_doubled_messages(tmp_path: Path) -> None:
    gold = file(tmp_path, TWO, "gold")
    path = file(tmp_path, ONE.format("0009") + TWO + TWO)
    assert check_thunderbird_folder(path, gold) == 1
    assert check_thunderbird_folder(path, gold, remove_deleted=False) == 0
    assert check_thunderbird_folder(path, gold, remove_duplicate=False) == 0


def test_a_saved_message_has_no_separator(tmp_path: Path) -> None:
    mail = "Subject: One\r\n\r\nHello\r\n"
    gold = file(tmp_path, mail.replace("\r", ""), "gold")
    assert check_thunderbird_folder(file(tmp_path, mail), gold) == 1
    assert check_thunderbird_folder(file(tmp_path, mail.replace("Hello", "You")), gold) == 0
