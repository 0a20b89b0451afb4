"""Cases of upstream's module vscode: settings, texts, archives, programs."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.osworld.parity.case import Case, cases_in
from tests.osworld.pdf import pdf

_case = cases_in("vscode")

PAGE = "<html><head><style>body {{ {style} }}</style></head><body></body></html>"


def cases(folder: Path) -> Iterator[Case]:
    yield from _keybindings(folder)
    yield from _settings(folder)
    yield from _configs(folder)
    yield from _answers()
    yield from _extensions()
    yield from _texts(folder)
    yield from _results(folder)
    yield from _archives(folder)
    yield from _programs(folder)
    yield from _pages(folder)


def _written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _keybindings(folder: Path) -> Iterator[Case]:
    expected = {"key": "ctrl+j", "command": "focus", "when": "terminalFocus"}
    other = {"key": "ctrl+k", "command": "other"}
    files = {
        "alone": (json.dumps([expected]), ""),
        "among others": (json.dumps([other, expected]), ""),
        "another": (json.dumps([other]), ""),
        "a comment above": ("// Place your key bindings here\n" + json.dumps([expected]), ""),
        "two comments": ("// one\n// two\n" + json.dumps([expected]), "jsonc"),
        "trailing comma": (f"[{json.dumps(expected)},]", "jsonc"),
        "an object": (json.dumps(expected), ""),
        "empty": ("", ""),
        "binary": (b"\xff\xfe\x00", ""),
    }
    for name, (content, differs) in files.items():
        path = _written(folder / "keys" / f"{name}.json", content)
        yield _case("check_json_keybindings", name, path, {"expected": expected}, differs)


def _settings(folder: Path) -> Iterator[Case]:
    expected = {"editor.wordWrapColumn": 50}
    files = {
        "alone": (json.dumps(expected), ""),
        "with more": (json.dumps({**expected, "a": [1]}), ""),
        "another value": ('{"editor.wordWrapColumn": 60}', ""),
        "missing": ("{}", ""),
        "commented": ('{\n  // width\n  "editor.wordWrapColumn": 50,\n}', "jsonc"),
        "a list": ("[]", ""),
        "a number": ("5", "json-settings-type"),
        "cut off": ('{"editor.wordWrapColumn": 50', ""),
    }
    for name, (content, differs) in files.items():
        path = _written(folder / "settings" / f"{name}.json", content)
        yield _case("check_json_settings", name, path, {"expected": expected}, differs)


def _configs(folder: Path) -> Iterator[Case]:
    theme = '{"workbench.colorTheme": "Visual Studio Dark"}\n'
    spread = '{\n    "workbench.colorTheme": "Visual Studio Dark",\n    "a": 1\n}'
    red = theme.replace("Visual Studio Dark", "Red")
    path = _written(folder / "config" / "project.txt", "project")
    yield _case("compare_config", "same", path, {"expected": "project"})
    yield _case("compare_config", "another", path, {"expected": "other"})
    for name, content, differs in (
        ("same, contained", theme, ""),
        ("another theme", red, ""),
        ("spread over lines", spread, "containment"),
        ("no JSON", "Visual Studio Dark", ""),
    ):
        path = _written(folder / "config" / f"{name}.json", content)
        yield _case("compare_config", name, path, {"expected": theme}, differs, containment_ok=True)
    path = _written(folder / "config" / "binary", b"\xff")
    yield _case("compare_config", "binary", path, {"expected": "project"}, "text-encoding")


def _answers() -> Iterator[Case]:
    for name, output in (("same", "42"), ("another", "43"), ("nothing", "")):
        yield _case("compare_answer", name, output, {"expected": "42"})


def _extensions() -> Iterator[Case]:
    metric, python = "is_extension_installed", "ms-python.python"
    there = {"type": "contain", "expected": python}
    gone = {"type": "not_contain", "expected": python}
    for name, listed, differs in (
        ("there", "a.b\nms-python.python\n", ""),
        ("missing", "a.b\n", ""),
        ("nothing", "", ""),
        ("in a longer name", "ms-python.python-extra\n", "extension-substring"),
    ):
        yield _case(metric, name, listed, there, differs)
        yield _case(metric, f"not: {name}", listed, gone, differs)


def _texts(folder: Path) -> Iterator[Case]:
    gold = _written(folder / "text" / "gold.txt", "One  two\n\tthree\n")
    for name, content, options, differs in (
        ("same", "One  two\n\tthree\n", {}, ""),
        ("other line ends", "One  two\r\n\tthree\r\n", {}, ""),
        ("other blanks", "One two three", {}, ""),
        ("other blanks, ignored", " One two\nthree", {"ignore_blanks": True}, ""),
        ("other case", "one  TWO\n\tthree\n", {}, ""),
        ("other case, ignored", "one  TWO\n\tthree\n", {"ignore_case": True}, ""),
        ("other words", "one two", {"ignore_case": True, "ignore_blanks": True}, ""),
        ("empty", "", {}, ""),
        ("binary", b"\xff\xfe\xfd", {}, "text-encoding"),
    ):
        path = _written(folder / "text" / name, content)
        yield _case("compare_text_file", name, path, gold, differs, **options)


def _results(folder: Path) -> Iterator[Case]:
    number = _written(folder / "results" / "gold.txt", "12.5\n")
    words = _written(folder / "results" / "words.txt", "as it is\n")
    for name, content, gold, differs in (
        ("same number", "12.5", number, ""),
        ("written otherwise", "12.50000", number, ""),
        ("nearly", "12.50001", number, ""),
        ("another number", "13", number, ""),
        ("with words", "The median is 12.5.", number, ""),
        ("within another number", "112.57", number, "number-substring"),
        ("written otherwise, with words", "median: 12.500", number, ""),
        ("no number", "many", number, ""),
        ("same words", "  as it is", words, ""),
        ("other words", "as it was", words, ""),
        ("binary", b"\xff", number, "text-encoding"),
    ):
        path = _written(folder / "results" / f"{name}.out", content)
        yield _case("compare_result_files", name, path, gold, differs)


def _archives(folder: Path) -> Iterator[Case]:
    essay, edited = (
        pdf("An essay on health", "of two lines"),
        pdf("An essay on wealth", "of two lines"),
    )
    gold = _zip(folder / "zip" / "gold.zip", {"a.txt": b"one", "essay.pdf": essay})
    for name, files, differs in (
        ("same", {"essay.pdf": essay, "a.txt": b"one"}, ""),
        ("another text", {"essay.pdf": essay, "a.txt": b"two"}, ""),
        ("nearly the same PDF", {"essay.pdf": edited, "a.txt": b"one"}, ""),
        ("another PDF", {"essay.pdf": pdf("Nothing alike"), "a.txt": b"one"}, ""),
        ("one less", {"essay.pdf": essay}, ""),
        ("one more", {"essay.pdf": essay, "a.txt": b"one", "b": b""}, ""),
        ("with a folder's entry", {"essay.pdf": essay, "a.txt": b"one", "b/": b""}, "zip-folders"),
        ("a broken PDF", {"essay.pdf": b"%PDF-", "a.txt": b"one"}, "malformed-archive"),
    ):
        yield _case("compare_zip_files", name, _zip(folder / "zip" / name, files), gold, differs)
    path = _written(folder / "zip" / "text.zip", "no archive")
    yield _case("compare_zip_files", "no archive", path, gold, "malformed-archive")
    gold = _zip(folder / "zip" / "repeated.zip", {"r.pdf": pdf("abcdefgh" * 40)})
    path = _zip(folder / "zip" / "more.zip", {"r.pdf": pdf("i" + "abcdefgh" * 40 + "i")})
    yield _case("compare_zip_files", "letters that repeat", path, gold, "zip-pdf-letters")


def _zip(path: Path, files: Mapping[str, bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def _programs(folder: Path) -> Iterator[Case]:
    metric = "check_python_file_by_test_suite"
    for name, program, test, differs in (
        ("passes", "x = 1", "from food import x\ndef test(): return x == 1", ""),
        ("fails", "x = 2", "from food import x\ndef test(): return x == 1", ""),
        ("a part", "x = 0.25", "from food import x\ndef test(): return x", ""),
        ("more than all", "x = 7", "from food import x\ndef test(): return x", ""),
        ("a list", "x = [0]", "from food import x\ndef test(): return x", ""),
        ("nothing", "x = 1", "def test(): pass", ""),
        ("no such function", "x = 1", "def other(): return True", ""),
        ("an error", "x = 1", "from food import x\ndef test(): assert x == 2", ""),
        ("a broken program", "x = ", "from food import x\ndef test(): return True", ""),
        (
            "a program that exits",
            "raise SystemExit",
            "import food\ndef test(): return 1",
            "suite-exit",
        ),
    ):
        files = [_written(folder / "suite" / name / "food.py", program)]
        suite = _written(folder / "suite" / name / "suite.py", test)
        yield _case(metric, name, files, suite, differs)
    files = [_written(folder / "suite" / "named" / "food.py", "x = 1")]
    suite = _written(folder / "suite" / "named" / "suite.py", "def check(): return True")
    yield _case(metric, "another name", files, suite, test_function_name="check")
    metric, gold = "check_python_file_by_gold_file", folder / "suite" / "passes" / "food.py"
    yield _case(metric, "same", gold, gold, "gold-program")
    yield _case(metric, "another", folder / "suite" / "fails" / "food.py", gold)
    yield _case(metric, "broken", folder / "suite" / "a broken program" / "food.py", gold)


def _pages(folder: Path) -> Iterator[Case]:
    for name, style, differs in (
        ("as upstream spells it", "background-image: url('bg.png')", ""),
        ("another", "background-image: url('other.png')", ""),
        ("no quotes", "background-image:url(bg.png);", "html-background-spelling"),
        ("shorthand", 'background: #fff url("bg.png") center', "html-background-spelling"),
        ("none", "color: red", ""),
    ):
        path = _written(folder / "html" / f"{name}.html", PAGE.format(style=style))
        yield _case("check_html_background_image", name, path, {"value": "bg.png"}, differs)
    path = _written(folder / "html" / "binary.html", b"\xff\xfe")
    yield _case("check_html_background_image", "binary", path, {"value": "bg.png"}, "text-encoding")
