"""The shape lint: what each figure counts, and when it fails."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

from scripts.house_lint import (
    Offender,
    figures,
    imported_modules,
    is_bare_participle,
    main,
    measure,
    mutual_folders,
)

EXAMPLE = '''
def look_up(one, *, given):
    """Documented."""
    found = [wanted for wanted in one]
    return found


def _killed(pid): ...


async def told(event):
    def inner(): ...


async def serve():
    async def until_stopped() -> None: ...

    def add(hidden: Tensor, mask_QS: Tensor | None, rows: list[Tensor]) -> str: ...

    def connection_lost() -> None: ...


class Box:
    def open(self): ...

    def _lid(self): ...


MATRIX = [1,  2]  # fmt: skip
# One comment line.
'''


TEST = """
def saved(document) -> Path: ...


def shown(window) -> None: ...


def test_written() -> None:
    found = 1
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one module that has a test and one that has none."""
    files = {
        "app/example.py": EXAMPLE,
        "app/__init__.py": "",
        "app/bare.py": "X = 1\n",
        "app/page.js": "const found = pick((one) => one.told, 'here');  // one, given\n",
        "scripts/loose.py": "X = 1\n",
        "scripts/run.sh": "#!/bin/sh\nmounted() { :; }\nas_root () { :; }\nstop() { :; }\n",
        "tests/__init__.py": "",
        "tests/app/test_example.py": TEST,
        "pyproject.toml": """
            [tool.house]
            tests = "tests"
            at_most = {vague_bindings = 6}
            at_least = {mirrored_tests = 0.5}
        """,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    return tmp_path


def values(root: Path) -> dict[str, float]:
    return {figure.name: figure.value for figure in figures(measure(root, "tests"), {})}


def test_each_figure_counts_what_it_names(checkout: Path) -> None:
    assert values(checkout) == {
        "vague_bindings": 6,  # one, given, found, wanted; found, one of page.js
        "vague_in_tests": 1,
        "participle_functions": 6,  # _killed, told, until_stopped, mounted, as_root, shown
        "tensors_without_shape": 1,  # hidden
        "fmt_skip": 1,
        "docstrings": 1 - 4 / 5,  # look_up of look_up, told, serve, Box, Box.open
        "mirrored_tests": 1 / 2,  # example.py of example.py, bare.py
        "median_file": 1,
        "largest_file": EXAMPLE.count("\n"),
        "longest_function": 6,
        "functions_over_50": 0,
        "mutual_folders": 0,
        "comments_per_1000": round(1000 / (EXAMPLE.count("\n") + 1), 1),
    }


def test_files_outside_git_are_not_counted(checkout: Path) -> None:
    (checkout / "app/untracked.py").write_text("found = 1\n")
    assert values(checkout)["vague_bindings"] == 6


@pytest.mark.parametrize(
    "name", ["killed", "_killed", "__answered", "told", "_kept", "held", "written", "shown"]
)
def test_bare_participles(name: str) -> None:
    assert is_bare_participle(name)


@pytest.mark.parametrize(
    "name", ["need", "seed", "_feed", "embed", "read", "run", "set", "is_killed", "record_seed"]
)
def test_verbs_and_longer_names_are_no_bare_participles(name: str) -> None:
    assert not is_bare_participle(name)


def test_a_new_package_and_loose_files_are_measured(checkout: Path) -> None:
    before = values(checkout)
    files = {"more/__init__.py": "", "more/part.py": "found = 1\n", "vm/x.py": "one = 1\n" * 99}
    for name, text in files.items():
        path = checkout / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    subprocess.run(["git", "add", "-A"], cwd=checkout, check=True)
    after = values(checkout)
    assert after["vague_bindings"] == before["vague_bindings"] + 100
    assert after["mirrored_tests"] == 1 - 2 / 3
    assert after["largest_file"] == 99


def test_figures_within_their_bounds_pass(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--root", str(checkout)]) == 0
    assert "PAST ITS BOUND" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("bound", "tighter", "figure"),
    [("= 6", "= 5", "vague_bindings"), ("= 0.5", "= 0.6", "mirrored_tests")],
)
def test_a_figure_past_its_bound_fails(
    checkout: Path, capsys: pytest.CaptureFixture[str], bound: str, tighter: str, figure: str
) -> None:
    settings = checkout / "pyproject.toml"
    settings.write_text(settings.read_text().replace(bound, tighter))
    assert main(["--root", str(checkout)]) == 1
    failed = [line for line in capsys.readouterr().out.splitlines() if "PAST ITS BOUND" in line]
    assert [line.split()[0] for line in failed] == [figure]


def test_a_bound_for_an_unknown_figure_is_an_error(checkout: Path) -> None:
    settings = checkout / "pyproject.toml"
    settings.write_text(settings.read_text().replace("vague_bindings", "vague_names"))
    with pytest.raises(SystemExit, match="2"):
        main(["--root", str(checkout)])


def test_offenders_are_listed_by_file_and_line(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--root", str(checkout), "--list", "participle_functions"])
    assert capsys.readouterr().out.splitlines() == [
        "app/example.py:8: _killed",
        "app/example.py:11: told",
        "app/example.py:16: until_stopped",
        "scripts/run.sh:2: mounted",
        "scripts/run.sh:3: as_root",
        "tests/app/test_example.py:5: shown",
    ]
    main(["--root", str(checkout), "--list", "mirrored_tests", "app/bare.py"])
    assert capsys.readouterr().out == "app/bare.py:1: no tests/app/test_bare.py\n"
    main(["--root", str(checkout), "--list", "fmt_skip", "app/other"])
    assert capsys.readouterr().out == ""


def test_folders_that_import_each_other_are_one_pair() -> None:
    def place(file: str, module: str = "") -> Offender:
        return Offender(file, 7, module)

    imports = [
        *map(place, ("app/top.py", "app/low/__init__.py", "app/low/base.py", "app/side/tool.py")),
        place("app/top.py", "app.low.base.Base"),
        place("app/top.py", "app.side.tool"),
        place("app/side/tool.py", "app.low"),
        place("app/low/base.py", "app.top.LIMIT"),
        place("app/low/base.py", "pathlib.Path"),
    ]
    assert [pair.text for pair in mutual_folders(imports)] == ["app -> app/low: 1 imports, back: 1"]


def test_relative_imports_and_those_inside_functions_are_imports() -> None:
    code = "from ..low import base\nfrom . import tool\ndef f():\n    import app.top\n"
    names = [name for name, _ in imported_modules(ast.parse(code), "app/side/other.py")]
    assert names == ["app.low.base", "app.side.tool", "app.top"]
