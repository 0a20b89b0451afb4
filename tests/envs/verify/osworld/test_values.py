"""Texts, lists and JSON: right, wrong, and what no one expected."""

from __future__ import annotations

import datetime
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from hypothesis import given
from hypothesis import strategies as st

from envs.verify.osworld import patterns
from envs.verify.osworld.accessibility import (
    check_accessibility_tree,
    check_accessibility_tree_compat,
)
from envs.verify.osworld.csv_files import (
    apart,
    check_csv,
    check_csv_compat,
    compare_csv,
    compare_time_in_speedtest_results,
)
from envs.verify.osworld.json_values import (
    check_direct_json_object,
    check_direct_json_object_compat,
    check_json,
    check_json_compat,
    is_included_all_json_objects,
    is_included_all_json_objects_compat,
)
from envs.verify.osworld.libreoffice import check_libre_locale
from envs.verify.osworld.places import fuzzy_place_math, fuzzy_place_math_compat
from envs.verify.osworld.plain_texts import (
    check_line_number,
    check_list,
    compare_python_pure_text,
    compare_terminal_and_txt,
    diff_text_file,
    file_contains,
)
from envs.verify.osworld.sqlite import run_sqlite3, run_sqlite3_compat
from envs.verify.osworld.value_rules import fulfils
from envs.verify.osworld.values import (
    check_include_exclude,
    exact_match,
    fuzzy_match,
    is_in_list,
    literal_match,
    match_in_list,
)

NO_TEXT = b"\xff\xfe\x00"


def file(folder: Path, content: str | bytes, name: str = "a") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_plain_values() -> None:
    assert exact_match("1\n", {"expected": "1\n"}) == 1
    assert exact_match("1", {"expected": "1\n"}) == 0
    assert match_in_list("Bing", {"expected": ["Bing", "Yahoo"]}) == 1
    assert match_in_list("bing", {"expected": ["Bing", "Yahoo"]}) == 0
    assert is_in_list(["/a", "/b"], {"expected": "/a"}) == 1
    assert is_in_list([], {"expected": "/a"}) == 0
    assert check_include_exclude("all ok", {"include": ["ok"], "exclude": ["error"]}) == 1
    assert check_include_exclude("ok, error", {"include": ["ok"], "exclude": ["error"]}) == 0
    assert check_include_exclude(None, {"include": []}) == 0
    assert fuzzy_match("abcd", {"expected": "abce"}) == pytest.approx(0.75)


def test_literals() -> None:
    assert literal_match(372, "372") == 1
    assert literal_match(["A", 1], ["a", "1"], type="list", ignore_case=True) == 1
    assert literal_match(["A"], ["a", "1"], type="list", ignore_case=True) == 0
    assert literal_match("a", ["a"], type="list") == 0
    with pytest.raises(ValueError, match="type is 'set'"):
        literal_match("a", "a", type="set")


@pytest.mark.parametrize(
    ("value", "method", "ref", "expected"),
    [
        (3, "eq", 3, True), (3, "gt", 3, False), ("dark", "re", "^d", True),
        ("Dark", "re.I", "^d", True), (3, "re", "3", False), (None, "lt", 3, False),
        ("2.05", "approx:0.1", 2, True), ("x", "approx:0.1", 2, False),
        (2, "range.te", [2, 3], False),
        (3, "range.te", [2, 3], True), ('"a,b"', "str_set_eq", ["b", "a"], True),
        (None, "str_list_eq", ["a"], False),
    ],
)  # fmt: skip
def test_rules_of_a_value(value: Any, method: str, ref: Any, expected: bool) -> None:
    assert fulfils(value, {"method": method, "ref": ref}) is expected


@pytest.mark.parametrize("method", ["like", "re.Q", "range.xy", "approx:much"])
def test_a_method_that_there_is_not(method: str) -> None:
    with pytest.raises(ValueError, match=r"no|could not"):
        fulfils("3", {"method": method, "ref": "3"})


def test_a_pattern_that_explodes_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "SEARCH_S", 0.2)
    path = file(tmp_path, "a" * 60 + "!")
    with pytest.raises(TimeoutError):
        check_list(path, {"expect": [r"^(a|aa|a(?=.))+(?<!x)$"]})
    with pytest.raises(ValueError, match="no regular expression"):
        check_list(path, {"expect": ["("]})


def test_lines_of_a_list(tmp_path: Path) -> None:
    path = file(tmp_path, "openjdk-17-jre\nCOMPANY\n")
    assert check_list(path, {"expect": [r"jdk-\d+"], "unexpect": ["UNI"]}) == 1
    assert check_list(path, {"expect": [r"jdk-\d+$"]}) == 0
    assert check_list(path, {"unexpect": [".+"]}) == 0
    assert check_list(file(tmp_path, NO_TEXT), {}) == 0


def test_text_files(tmp_path: Path) -> None:
    path, broken = file(tmp_path, "a\nb\n"), file(tmp_path, NO_TEXT, "b")
    assert diff_text_file(path, path) == 1
    assert diff_text_file(file(tmp_path, "a\nc\n", "c"), path) == 0.5
    assert file_contains(path, {"expected": ["a", "b"]}) == 1
    assert file_contains(path, {"expected": ["a", "x"]}) == 0
    assert compare_terminal_and_txt(path, "a\nb\n") == 1
    assert compare_terminal_and_txt(path, "a\nb") == 0
    timed = file(tmp_path, "10:00:00 1\n10:00:01 2\nAverage\n", "d")
    assert check_line_number(timed, {"expected": "2"}) == 1
    assert check_line_number(timed, {"expected": "3"}) == 0
    assert diff_text_file(broken, path) == 0
    assert file_contains(broken, {"expected": []}) == 0
    assert check_line_number(broken, {"expected": 0}) == 0
    assert compare_terminal_and_txt(broken, "a") == 0


def test_sources(tmp_path: Path) -> None:
    gold = file(tmp_path, "import os\n\nif os:\n    pass\n", "gold")
    same = file(tmp_path, "#!/usr/bin/python\nimport os\nif os:\n\tpass  \n")
    assert compare_python_pure_text(same, gold) == 1
    assert compare_python_pure_text(file(tmp_path, "import os\nif os:\n  pass\n"), gold) == 0
    assert compare_python_pure_text(file(tmp_path, NO_TEXT), gold) == 0


def test_csv_compares_values(tmp_path: Path) -> None:
    gold = file(tmp_path, "Name,Price\nTea,2.50\n", "gold")
    assert compare_csv(file(tmp_path, '\ufeff"Name","Price"\r\n"Tea",2.50'), gold) == 1
    assert compare_csv(file(tmp_path, "Name,Price\nTea,2.5\n"), gold) == 0
    assert compare_csv(file(tmp_path, "NAME,PRICE\nTEA,2.50\n"), gold, ignore_case=True) == 1
    assert compare_csv(file(tmp_path, "Name,Price \nTea,2.50\n"), [gold], strict=False) == 1
    assert compare_csv(file(tmp_path, NO_TEXT), gold) == 0


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path: Path) -> None:
    path, rules = file(tmp_path, "\ufeffurl,user\na,b\n"), {"expect": [{"url": "a"}]}
    assert check_csv(path, rules) == 1
    assert check_csv_compat(path, rules) == 0
    assert check_csv(path, {"unexpect": [{"user": "b"}]}) == 0
    assert check_csv(file(tmp_path, NO_TEXT), {}) == 0


def test_a_time_of_day_near_now(tmp_path: Path) -> None:
    now = datetime.datetime.now()
    half_a_day = now + datetime.timedelta(hours=12)
    near, far = (f"Server,Date\nx,2024-01-01 {time:%H:%M}\n" for time in (now, half_a_day))
    assert compare_time_in_speedtest_results(file(tmp_path, near), "10") == 1
    assert compare_time_in_speedtest_results(file(tmp_path, far), "10") == 0
    assert compare_time_in_speedtest_results(file(tmp_path, "Server,Date\n"), "10") == 0
    assert compare_time_in_speedtest_results(file(tmp_path, "a\nx,soon\n"), "10") == 0


def test_midnight_is_no_day_long() -> None:
    assert apart(23 * 60 + 59, 1) == 2
    assert apart(0, 12 * 60) == 720


def test_json_files(tmp_path: Path) -> None:
    path = file(tmp_path, json.dumps({"a": {"b": "dark"}}))
    dark = {"key": ["a", "b"], "method": "re", "ref": "dark"}
    assert check_json(path, {"expect": [dark]}) == 1
    assert check_json(path, {"unexpect": [dark]}) == 0
    assert check_json(path, {"expect": [dark | {"key": ["a", "b", "c"]}]}) == 0
    assert check_json(file(tmp_path, "a:\n  b: dark\n"), {"expect": [dark]}, is_yaml=True) == 1
    for content in ("{", "[" * 100_000, NO_TEXT, ""):
        assert check_json(file(tmp_path, content), {"expect": [dark]}) == 0


def test_what_is_not_there_is_not_unwanted(tmp_path: Path) -> None:
    rules = {"unexpect": [{"key": ["theme"], "method": "re", "ref": "dark"}]}
    assert check_json(file(tmp_path, "{}"), rules) == 1
    assert check_json_compat(file(tmp_path, "{}"), rules) == 0


def test_json_objects() -> None:
    assert check_direct_json_object({"a": 1, "b": 2}, {"expected": {"a": 1}}) == 1
    assert check_direct_json_object({"a": 2}, {"expected": {"a": 1}}) == 0
    assert check_direct_json_object("Traceback", {"expected": {"a": 1}}) == 0
    offered = {"expected": {"a": ["x", "y"], "b": "z"}, "expect_in_result": True}
    assert check_direct_json_object("{'a': 'y', 'b': 'xyz'}", offered) == 1
    assert check_direct_json_object({"a": "x"}, offered) == 0
    with pytest.raises(ValueError, match="no object"):
        check_direct_json_object({}, {"expected": ["a"]})


def test_lists_in_any_order_where_the_rules_say_so() -> None:
    rules = {"expected": {"a": ["x", "y"]}, "ignore_list_order": True}
    assert check_direct_json_object({"a": ["y", "x"]}, rules) == 1
    assert check_direct_json_object({"a": ["y", "x", "x"]}, rules) == 0
    assert check_direct_json_object_compat({"a": ["y", "x"]}, rules) == 0


def test_an_apostrophe_is_no_quote() -> None:
    rules = {"expected": {"a": "it's"}}
    assert check_direct_json_object('{"a": "it\'s"}', rules) == 1
    with pytest.raises(ValueError, match="Expecting"):
        check_direct_json_object_compat('{"a": "it\'s"}', rules)


def test_the_result_includes_what_is_expected(tmp_path: Path) -> None:
    less, more = file(tmp_path, '{"a": 1}'), file(tmp_path, '{"a": 1, "b": 2}', "b")
    assert is_included_all_json_objects(more, less) == 1
    assert is_included_all_json_objects(less, more) == 0
    assert is_included_all_json_objects_compat(less, more) == 1
    assert is_included_all_json_objects(file(tmp_path, "{"), more) == 0


@given(st.text())
def test_any_answer_is_no_error(text: str) -> None:
    assert check_direct_json_object(text, {"expected": {"a": "\0"}}) == 0


def test_databases(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mail (folder INTEGER)")
        connection.execute("INSERT INTO mail VALUES (1), (1)")
        connection.commit()
    before = path.read_bytes()
    assert run_sqlite3(path, {"sql": "SELECT COUNT(*) = 2 FROM mail"}) == 1
    assert run_sqlite3(path, {"sql": "SELECT COUNT(*) = 3 FROM mail"}) == 0
    assert run_sqlite3(path, {"sql": "SELECT COUNT(*) FROM mail"}) == 1
    assert run_sqlite3_compat(path, {"sql": "SELECT COUNT(*) FROM mail"}) == 2
    assert run_sqlite3(path, {"sql": "SELECT 1 FROM other"}) == 0
    assert run_sqlite3(path, {"sql": "DELETE FROM mail"}) == 0
    assert run_sqlite3(file(tmp_path, "x" * 100), {"sql": "SELECT 1 FROM mail"}) == 0
    assert path.read_bytes() == before
    with pytest.raises(TypeError, match="no row"):
        run_sqlite3_compat(path, {"sql": "SELECT 1 FROM mail WHERE 0"})
    with pytest.raises(ValueError, match="no query"):
        run_sqlite3(path, {"sql": "SELEKT"})


def test_the_accessibility_tree() -> None:
    tree = '<a><b name="x">Mail</b><b name="y">Mails</b></a>'
    assert check_accessibility_tree(tree, [{"selectors": ["b[name=x]"]}]) == 1
    assert check_accessibility_tree(tree, [{"xpath": "//b[@name='z']"}]) == 0
    text = [{"selectors": ["b"], "text": "Mails"}]
    assert check_accessibility_tree(tree, text) == 1
    with pytest.raises(KeyError):
        check_accessibility_tree_compat(tree, text)
    near = [{"selectors": ["b[name=x]"], "text": "Mall", "exact": False}]
    assert check_accessibility_tree(tree, near) == pytest.approx(0.75)
    assert check_accessibility_tree("Failed", [{"selectors": ["b"]}]) == 0
    with pytest.raises(ValueError, match="selects nothing"):
        check_accessibility_tree(tree, [{"xpath": "//["}])


def test_entities_are_not_resolved(tmp_path: Path) -> None:
    secret = file(tmp_path, "secret")
    tree = f'<!DOCTYPE a [<!ENTITY e SYSTEM "{secret.as_uri()}">]><a>&e;</a>'
    assert check_accessibility_tree(tree, [{"xpath": "//a[contains(., 'secret')]"}]) == 0


def test_the_locale(tmp_path: Path) -> None:
    item = (
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/x/L10N">'
        '<prop oor:name="ooSetupSystemLocale"><value>de-CH</value></prop></item></oor:items>'
    )
    assert check_libre_locale(file(tmp_path, item), {"locale_set": ["de-*"]}) == 1
    assert check_libre_locale(file(tmp_path, item), {"locale_set": ["en-US"]}) == 0
    assert check_libre_locale(file(tmp_path, "<a/>"), {"locale_set": ["*"]}) == 0
    assert check_libre_locale(file(tmp_path, "locale"), {"locale_set": ["*"]}) == 0


def test_as_many_places_as_the_task_asks_for(tmp_path: Path) -> None:
    known = ["Mill Rd 1", "Main St 2", "Park Ave 3", "Oak Ln 4", "Elm Way 5", "Hill Ct 6"]

    def listed(*lines: str) -> Path:
        document = Document()
        for line in lines:
            document.add_paragraph(line)
        document.save(str(tmp_path / "a.docx"))
        return tmp_path / "a.docx"

    rules = {"expected": known}
    assert fuzzy_place_math(listed(*known[:5]), rules) == 1
    assert fuzzy_place_math_compat(listed(*known[:5]), rules) == 0
    assert fuzzy_place_math(listed(*known[:3]), rules) == pytest.approx(0.6)
    assert fuzzy_place_math(listed(*[known[0]] * 5), rules) < 0.7
    assert fuzzy_place_math(file(tmp_path, NO_TEXT), rules) == 0
