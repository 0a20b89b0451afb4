"""Cases of upstream's module general: texts, lists, JSON, databases, the accessibility tree."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from docx import Document

from tests.osworld.parity.case import Case, cases_of

NO_TEXT = b"\xff\xfe\x00a"


def cases(folder: Path) -> Iterator[Case]:
    for part in (_values, _lists, _texts, _sources, _csv, _json, _objects, _included, _clock,
                 _databases, _trees, _places):  # fmt: skip
        yield from part(folder)


def _file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _values(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "exact_match")
    for name, value in (("same", "1\n"), ("blank", "1"), ("number", 1), ("nothing", None)):
        yield case(name, value, {"expected": "1\n"})
    case = cases_of("general", "match_in_list")
    for value in ("Bing", "Microsoft Bing", "bing", None):
        yield case(str(value), value, {"expected": ["Microsoft Bing", "Bing"]})
    case = cases_of("general", "is_in_list")
    for result in ([], ["/a"], ["/b", "/a"], ["/ab"], "/ab"):
        yield case(str(result), result, {"expected": "/a"})
    case = cases_of("general", "check_include_exclude")
    rules = {"include": ["yes", "ok"], "exclude": ["error"]}
    for result in ("ok yes", "ok", "ok yes error", "", None, ["ok", "yes"], ["okyes"]):
        yield case(str(result), result, rules)
    yield case("no rules", "x", {})
    case = cases_of("general", "fuzzy_match")
    for text in ("Highway St", "Highway Street", "", "x"):
        yield case(text, text, {"expected": "Highway St"})
    case = cases_of("general", "literal_match")
    yield case("text", "Ab", "Ab")
    yield case("number", 5, "5")
    yield case("case", "Ab", "aB")
    yield case("any case", "Ab", "aB", ignore_case=True)
    yield case("list", ["A", 2], ["a", "2"], type="list", ignore_case=True)
    yield case("shorter list", ["a"], ["a", "2"], type="list")
    yield case("no list", "a", ["a"], type="list")


def _lists(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "check_list")
    path = _file(folder, "list.txt", "openjdk-17-jre\nCOMPANY.msf\nCOMPANY\n")
    expect = ["openjdk-\\d+-(jre|jdk)", "\\bCOMPANY/?(?!\\.msf)"]
    yield case("found", path, {"expect": expect})
    yield case("not found", path, {"expect": [*expect, "UNIVERSITY"]})
    yield case("unwanted", path, {"expect": expect, "unexpect": ["^COMPANY$"]})
    yield case("empty", _file(folder, "empty.txt", ""), {"unexpect": [".+"]})
    yield case("not empty", path, {"unexpect": [".+"]})
    yield case("no text", _file(folder, "list.bin", NO_TEXT), {"unexpect": ["x"]}, "malformed")


def _texts(folder: Path) -> Iterator[Case]:
    path, other = _file(folder, "a.txt", "a\nb\nc\n"), _file(folder, "b.txt", "a\nc\nd\n")
    broken = _file(folder, "c.txt", NO_TEXT)
    case = cases_of("general", "diff_text_file")
    for name, file in (("same", path), ("another", other), ("empty", _file(folder, "d.txt", ""))):
        yield case(name, file, path)
    yield case("no text", broken, path, "malformed")
    case = cases_of("general", "file_contains")
    yield case("all", path, {"expected": ["a", "b\nc"]})
    yield case("not all", path, {"expected": ["a", "d"]})
    yield case("no text", broken, {"expected": ["a"]})
    case = cases_of("general", "check_line_number")
    timed = _file(folder, "sar.txt", "09:30:00 1\nx 23:59:60\n24:00:00\n9:30:00\nAverage\n")
    yield case("two", timed, {"expected": "2"})
    yield case("three", timed, {"expected": 3})
    yield case("no text", broken, {"expected": "0"})
    case = cases_of("general", "compare_terminal_and_txt")
    yield case("same", path, "a\nb\nc\n")
    yield case("another", path, "a\nb\nc")
    yield case("nothing", _file(folder, "e.txt", ""), "")
    yield case("no text", broken, "a", "malformed")


def _sources(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "compare_python_pure_text")
    gold = _file(folder, "gold.py", "import os\n\nif os:\n    pass\n")
    for name, source in {
        "same": "import os\nif os:\n    pass",
        "shebang": "#!/usr/bin/python\n# coding: utf-8\nimport os\nif os:\n\tpass  \n\n",
        "late shebang": "\n#!/usr/bin/python\nimport os\nif os:\n    pass\n",
        "indent": "import os\nif os:\n  pass\n",
        "fenced": "```python\nimport os\nif os:\n    pass\n```\n",
    }.items():
        yield case(name, _file(folder, f"{name}.py", source), gold)
    yield case("no text", _file(folder, "broken.py", NO_TEXT), gold)


def _csv(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "check_csv")
    path = _file(folder, "a.csv", 'url,user\nimap://a,"x, y"\nimap://b,z\n')
    yield case("found", path, {"expect": [{"url": "imap://a", "user": "x, y"}, {"user": "z"}]})
    yield case("mixed rows", path, {"expect": [{"url": "imap://a", "user": "z"}]})
    yield case("unwanted", path, {"unexpect": [{"url": "imap://b"}]})
    yield case("no column", path, {"unexpect": [{"host": "imap://b"}]})
    marked = _file(folder, "marked.csv", "\ufeffurl,user\na,b\n")
    yield case("marked", marked, {"expect": [{"url": "a"}]}, "byte-order-mark")
    yield case("no text", _file(folder, "b.csv", NO_TEXT), {"expect": [{"a": "b"}]}, "malformed")


def _json(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "check_json")
    stored = {"name": "happy", "n": 3, "icons": {"64": "a.png"}, "list": ["a", "b"]}
    path = _file(folder, "a.json", json.dumps(stored))

    def rule(key: list[Any], method: str, ref: Any) -> dict[str, Any]:
        return {"key": key, "method": method, "ref": ref}

    for name, key, method, ref in (
        ("equal", ["name"], "eq", "happy"),
        ("object", ["icons"], "eq", {"64": "a.png"}),
        ("nested", ["icons", "64"], "re", "^a"),
        ("any case", ["name"], "re.I", "HAPP"),
        ("item", ["list", 1], "eq", "b"),
        ("no item", ["list", 2], "eq", "b"),
        ("near", ["n"], "approx:0.5", 3.4),
        ("far", ["n"], "approx:0.5", 3.6),
        ("within", ["n"], "range.te", [2, 3]),
        ("not within", ["n"], "range.et", [2, 3]),
        ("another kind", ["n"], "re", "3"),
        ("below a text", ["name", "x"], "eq", "happy"),
        ("not there", ["version"], "eq", None),
    ):
        yield case(name, path, {"expect": [rule(key, method, ref)]})
        differs = "json-unwanted" if name in ("another kind", "no item") else ""
        yield case(f"unwanted {name}", path, {"unexpect": [rule(key, method, ref)]},
                   "json-null" if name == "not there" else differs)  # fmt: skip
    unwanted = {"unexpect": [rule(["theme"], "re", "dark")]}
    yield case("unwanted text not there", path, unwanted, "json-unwanted")
    name = {"expect": [rule(["author", "name"], "eq", "Test")]}
    yield case("yaml", _file(folder, "a.yml", "author:\n  name: Test\n"), name, is_yaml=True)
    yield case("no yaml", _file(folder, "b.yml", "author: [\n"), name, is_yaml=True)
    yield case("empty yaml", _file(folder, "c.yml", ""), {}, is_yaml=True)
    yield case("no json", _file(folder, "b.json", "{"), name)
    yield case("no text", _file(folder, "c.json", NO_TEXT), name)


def _objects(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "check_direct_json_object")
    rules = {"expected": {"a": "x", "b": True}}
    yield case("same", {"a": "x", "b": True, "c": 1}, rules)
    yield case("another", {"a": "x", "b": False}, rules)
    yield case("text", "{'a': 'x', 'b': true}\n", rules)
    yield case("nothing", None, rules)
    yield case("a list", ["a"], rules)
    yield case("no JSON", "Traceback", rules, "malformed")
    yield case("apostrophe", '{"a": "it\'s"}', {"expected": {"a": "it's"}}, "json-apostrophe")
    yield case("not to be had", {"a": "x"}, {"expected": {"a": "__EVALUATION_FAILED__"}})
    offered = {"expected": {"a": ["x", "y"], "b": "z"}, "expect_in_result": True}
    yield case("offered", {"a": "y", "b": "a z"}, offered)
    yield case("offered in a list", {"a": ["y"], "b": ["z"]}, offered)
    yield case("not offered", {"a": "w", "b": "z"}, offered)
    yield case("nothing offered", {"b": "z"}, offered)
    unordered = {"expected": {"a": [1, 2]}, "ignore_list_order": True}
    yield case("list", {"a": [1, 2]}, unordered)
    yield case("turned list", {"a": [2, 1]}, unordered, "list-order")
    yield case("longer list", {"a": [2, 1, 1]}, unordered)


def _included(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "is_included_all_json_objects")
    less, more = (
        _file(folder, f"{len(x)}.json", json.dumps(x)) for x in ({"a": 1}, {"a": 1, "b": 2})
    )
    other = _file(folder, "other.json", json.dumps({"a": 2}))
    yield case("same", less, less)
    yield case("another", other, less)
    yield case("more", more, less, "included-turned")
    yield case("less", less, more, "included-turned")
    yield case("no JSON", _file(folder, "x.json", "{"), less, "malformed")


def _clock(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "compare_time_in_speedtest_results")

    def at(name: str, time: str) -> Path:
        return _file(folder, name, f"Server,Date,Ping\nx,2024-01-01 {time},3\n")

    now = datetime.datetime.now()
    yield case("now", at("now.csv", now.strftime("%H:%M")), "10")
    later = now + datetime.timedelta(hours=12)
    yield case("later", at("later.csv", later.strftime("%H:%M")), 10)
    yield case("no time", at("no.csv", "soon"), 10)
    yield case("no line", _file(folder, "line.csv", "Server,Date\n"), 10)


def _databases(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "run_sqlite3")
    path = folder / "a.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE messages (folder INTEGER, label TEXT)")
        connection.executemany("INSERT INTO messages VALUES (?, 'x')", [(13,), (13,), (14,)])
        connection.commit()
    yield case("true", path, {"sql": "SELECT COUNT(*) = 2 FROM messages WHERE folder = 13"})
    yield case("false", path, {"sql": "SELECT COUNT(*) = 3 FROM messages WHERE folder = 13"})
    yield case("null", path, {"sql": "SELECT MAX(folder) FROM messages WHERE folder = 1"})
    yield case("count", path, {"sql": "SELECT COUNT(*) FROM messages"}, "sqlite-count")
    yield case("no row", path, {"sql": "SELECT folder FROM messages WHERE 0"}, "sqlite-no-row")
    yield case("no table", path, {"sql": "SELECT 1 FROM mail"}, "malformed")
    yield case("no database", _file(folder, "b.sqlite", "x" * 200), {"sql": "SELECT 1 FROM a"},
               "malformed")  # fmt: skip


def _trees(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "check_accessibility_tree")
    tree = (
        '<desktop-frame xmlns:attr="https://accessibility.ubuntu.example.org/ns/attributes">'
        '<application name="Thunderbird"><page-tab attr:id="t1" name="Inbox">Mail</page-tab>'
        '<page-tab name="About">Mails</page-tab></application></desktop-frame>'
    )
    inbox = {"selectors": ['page-tab[attr|id="t1"]']}
    yield case("selected", tree, [inbox])
    yield case("one of two", tree, [{"selectors": ["menu", "page-tab[name=About]"]}])
    yield case("not there", tree, [inbox, {"selectors": ["menu"]}])
    yield case("xpath", tree, [{"xpath": "//page-tab[contains(@name, 'Ab')]"}])
    yield case("text", tree, [{**inbox, "text": "Mail", "exact": True}])
    yield case("another text", tree, [{**inbox, "text": "Mails", "exact": True}])
    yield case("like it", tree, [{**inbox, "text": "Mails", "exact": False}])
    empty = {"selectors": ["application"], "text": "x", "exact": False}
    yield case("without text", tree, [empty])
    yield case("exact by itself", tree, [{**inbox, "text": "Mail"}], "tree-exact")
    yield case("no XML", "Failed", [inbox], "malformed")


def _places(folder: Path) -> Iterator[Case]:
    case = cases_of("general", "fuzzy_place_math")
    known = {"expected": ["福华三路111号", "正义街1号", "莲科路18号", "香梅路2002号", "八卦路38号"]}

    def listed(name: str, *lines: str) -> Path:
        document = Document()
        for line in lines:
            document.add_paragraph(line)
        document.save(str(folder / f"{name}.docx"))
        return folder / f"{name}.docx"

    yield case("three", listed("three", *known["expected"][:3]), known, "places-three")
    yield case("five", listed("five", *known["expected"]), known, "places-three")
    yield case("one thrice", listed("thrice", *["正义街1号"] * 3), known, "places-three")
    yield case("nothing", listed("nothing"), known)
    yield case("no document", _file(folder, "x.docx", "x"), known, "malformed")
