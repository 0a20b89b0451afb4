"""Measures the shape of the code and compares each figure with its bound in pyproject.toml.

    scripts/house_lint.py                        print the figures; exit 1 if one is past its bound
    scripts/house_lint.py --list FIGURE [PATH]   print what a figure counts, as FILE:LINE: TEXT

Figures are of the product: every Python package at the top of the tree but the tests. Vague names
are those of its page scripts, too; they and the largest file are those of tests, scripts and
examples as well. A function that has an effect
may not say a state (`stopped`, `until_stopped`): in the product, in tests and in shell scripts.

Guarantees: reads the files that git tracks and changes nothing.
"""

from __future__ import annotations

import argparse
import ast
import re
import signal
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

VAGUE_NAMES = frozenset({"found", "one", "here", "wanted", "given", "asked", "said", "told"})
VERBS_IN_ED = frozenset({"need", "seed", "feed", "speed", "embed", "proceed", "bed", "shed"})
IRREGULAR_PARTICIPLES = frozenset(
    """
    begun bent born bought broken brought built caught chosen dealt done drawn driven eaten
    fallen felt forbidden forgotten fought found frozen given gone got gotten grown heard held
    hidden hung kept known laid led left lent lost made met paid ridden risen said seen sent
    shaken shown sold sought spent spoken stolen stood struck sung sunk swept sworn swum taken
    taught thought thrown told torn understood withdrawn woken won worn wound written
    """.split()  # noqa: SIM905 - shorter than a list
)
"""Participles that are no verb in the present tense: `read`, `put`, `set`, `cut` and `run` are."""
PREPOSITIONS = frozenset(
    {"after", "as", "before", "inside", "unless", "until", "when", "while", "with", "within"}
    | {"without"}
)
TENSOR = re.compile(r"(?:torch\.)?Tensor(?: \| None)?")
SHAPE_SUFFIX = re.compile(r"_[A-Z0-9_]+$")
ASYNCIO_CALLBACKS = frozenset({"connection_made", "connection_lost", "data_received"})
SCRIPT_BINDING = re.compile(
    r"(?:\b(?:const|let|var|function)\s+|[(,{\[]\s*)([A-Za-z_$]\w*)(?=\s*(?:=[^=>]|=>|[,);(}\]]))"
)
"""A name that JavaScript binds, or passes on: both say what it is."""
SHELL_FUNCTION = re.compile(r"^\s*(?:function\s+)?([A-Za-z_]\w*)\s*\(\)")
SHELL_INTERPRETER = re.compile(r"^#!.*\b(?:bash|sh)\b")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, order=True)
class Offender:
    """One place that a figure counts."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@dataclass
class Shape:
    """What was counted in the files of one tree."""

    vague: list[Offender] = field(default_factory=list)
    vague_in_tests: list[Offender] = field(default_factory=list)
    participles: list[Offender] = field(default_factory=list)
    tensors: list[Offender] = field(default_factory=list)
    fmt_skips: list[Offender] = field(default_factory=list)
    undocumented: list[Offender] = field(default_factory=list)
    untested: list[Offender] = field(default_factory=list)
    file_lines: list[Offender] = field(default_factory=list)
    loose_lines: list[Offender] = field(default_factory=list)
    function_lines: list[Offender] = field(default_factory=list)
    imports: list[Offender] = field(default_factory=list)
    documentable: int = 0
    modules: int = 0
    lines: int = 0
    comments: int = 0


@dataclass(frozen=True)
class Figure:
    """A number, what it counted, and the bound it is held to."""

    name: str
    value: float
    offenders: list[Offender]
    note: str = ""
    at_most: float | None = None
    at_least: float | None = None

    @property
    def within_bound(self) -> bool:
        too_high = self.at_most is not None and self.value > self.at_most
        too_low = self.at_least is not None and self.value < self.at_least
        return not (too_high or too_low)

    def __str__(self) -> str:
        bound = ""
        if self.at_most is not None:
            bound = f"at most {self.at_most:g}"
        if self.at_least is not None:
            bound = f"at least {self.at_least:g}"
        mark = "" if self.within_bound else "  PAST ITS BOUND"
        value = f"{self.value:.3f}" if self.value % 1 else f"{self.value:.0f}"
        return f"{self.name:22} {value:>7}  {bound:15} {self.note}{mark}".rstrip()


def is_participle(word: str) -> bool:
    """Whether a word is a past participle and no verb in the present tense."""
    if word in VERBS_IN_ED:
        return False
    return word.endswith("ed") or word in IRREGULAR_PARTICIPLES


def is_bare_participle(name: str) -> bool:
    """Whether a function's name is one past participle, leading underscores aside."""
    word = name.strip("_")
    return "_" not in word and is_participle(word)


def says_a_state(name: str) -> bool:
    """Whether a name begins with a participle or a preposition, where what has an effect begins
    with a verb: `closed_file`, `until_stopped`."""
    first = name.strip("_").partition("_")[0]
    return is_participle(first) or first in PREPOSITIONS


def has_effect(function: Function) -> bool:
    """Whether a function returns nothing, so that it can only be called for what it does."""
    return isinstance(function.returns, ast.Constant) and function.returns.value is None


def is_misnamed(function: Function, is_test: bool) -> bool:
    """Whether a function's name says a state where it should say what is done or returned. A test
    may call what it makes by a participle: `saved(document)`."""
    if function.name in ASYNCIO_CALLBACKS or function.name.startswith("test_"):
        return False
    if has_effect(function):
        return says_a_state(function.name)
    return is_bare_participle(function.name) and not is_test


def tensors_without_shape(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Names and lines of the tensor parameters whose names do not say their dimensions."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            arguments = node.args
            for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                kind = ast.unparse(argument.annotation) if argument.annotation else ""
                if TENSOR.fullmatch(kind) and not SHAPE_SUFFIX.search(argument.arg):
                    yield argument.arg, argument.lineno


def shell_functions(text: str) -> Iterator[tuple[str, int]]:
    """Names and lines of the functions that a shell script defines."""
    for number, line in enumerate(text.splitlines(), 1):
        if match := SHELL_FUNCTION.match(line):
            yield match[1], number


def script_names(text: str) -> Iterator[tuple[str, int]]:
    """Names and lines of the variables and parameters of a script of a page."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in SCRIPT_BINDING.finditer(line.partition("//")[0]):
            yield match[1], number


def is_public(name: str) -> bool:
    return not name.startswith("_")


def bindings(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Names and lines of the variables, comprehension targets and parameters in a tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, Function):
            arguments = node.args
            for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                yield argument.arg, argument.lineno


def public_definitions(tree: ast.Module) -> Iterator[Function | ast.ClassDef]:
    """Public functions and classes of a module, and public members of its public classes."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    scopes: list[ast.Module | ast.ClassDef] = [tree]
    scopes += [node for node in classes if is_public(node.name)]
    for scope in scopes:
        for node in scope.body:
            if isinstance(node, Function | ast.ClassDef) and is_public(node.name):
                yield node


def imported_modules(tree: ast.AST, file: str) -> Iterator[tuple[str, int]]:
    """Dotted names that a file imports, at any depth of its code, with their lines. What
    `from package import name` imports is given as `package.name`, be it a module or not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = list(Path(file).parent.parts)
            above = package[: len(package) - node.level + 1] if node.level else []
            parent = ".".join([*above, *filter(None, [node.module])])
            yield from ((f"{parent}.{alias.name}", node.lineno) for alias in node.names)


def mutual_folders(imports: list[Offender]) -> list[Offender]:
    """Pairs of folders of which each imports from the other. A folder and its subfolder are two:
    a package that imports its own parts, which import it in turn, cannot be read from below."""
    files = {place.file for place in imports}
    arrows: dict[tuple[str, str], list[Offender]] = {}
    for place in imports:
        target = _file_of(place.text, files)
        folders = str(Path(place.file).parent), str(Path(target).parent) if target else ""
        if target and folders[0] != folders[1]:
            arrows.setdefault(folders, []).append(place)
    pairs = []
    for (importer, imported), there in sorted(arrows.items()):
        back = arrows.get((imported, importer), [])
        if back and importer < imported:
            fewest = min(there, back, key=len)
            pairs.append(
                Offender(
                    fewest[0].file,
                    fewest[0].line,
                    f"{importer} -> {imported}: {len(there)} imports, back: {len(back)}",
                )
            )
    return pairs


def _file_of(module: str, files: set[str]) -> str | None:
    """The file of a module, or of the longest beginning of the name that is one."""
    while module:
        path = module.replace(".", "/")
        for file in (f"{path}.py", f"{path}/__init__.py"):
            if file in files:
                return file
        module = module.rpartition(".")[0]
    return None


def measure_file(shape: Shape, file: str, text: str) -> None:
    """Adds what one Python file contains to `shape`."""
    lines = text.splitlines()
    tree = ast.parse(text, filename=file)
    shape.lines += text.count("\n")
    shape.comments += sum(line.lstrip().startswith("# ") for line in lines)
    shape.file_lines.append(Offender(file, 1, f"{text.count(chr(10))} lines"))
    for number, line in enumerate(lines, 1):
        skips = line.count("# fmt: skip")
        shape.fmt_skips += [Offender(file, number, line.strip())] * skips
    shape.imports.append(Offender(file, 1, ""))  # files without an import are files, too
    shape.imports += [Offender(file, line, name) for name, line in imported_modules(tree, file)]
    measure_names(shape, file, tree, lines, is_test=False)
    shape.tensors += [Offender(file, line, name) for name, line in tensors_without_shape(tree)]
    for node in ast.walk(tree):
        if isinstance(node, Function):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            shape.function_lines.append(Offender(file, node.lineno, f"{length} {node.name}"))
    for definition in public_definitions(tree):
        shape.documentable += 1
        if ast.get_docstring(definition) is None:
            shape.undocumented.append(Offender(file, definition.lineno, definition.name))


def measure_loose_file(shape: Shape, file: str, text: str, is_test: bool) -> None:
    """Adds what is counted in a Python file of no package of the product: a test, a script."""
    shape.loose_lines.append(Offender(file, 1, f"{text.count(chr(10))} lines"))
    tree = ast.parse(text, filename=file)
    measure_names(shape, file, tree, text.splitlines(), is_test)


def measure_names(
    shape: Shape, file: str, tree: ast.Module, lines: list[str], is_test: bool
) -> None:
    """Adds the names that say too little."""
    for name, number in bindings(tree):
        if name in VAGUE_NAMES:
            place = Offender(file, number, f"{name}: {lines[number - 1].strip()}")
            (shape.vague_in_tests if is_test else shape.vague).append(place)
    for node in ast.walk(tree):
        if isinstance(node, Function) and is_misnamed(node, is_test):
            shape.participles.append(Offender(file, node.lineno, node.name))


def measure_page_script(shape: Shape, file: str, text: str) -> None:
    """Adds the names of a page's script that say too little."""
    lines = text.splitlines()
    for name, number in script_names(text):
        if name in VAGUE_NAMES:
            shape.vague.append(Offender(file, number, f"{name}: {lines[number - 1].strip()}"))


def is_shell_script(path: Path) -> bool:
    """Whether the first line of a file names a shell."""
    with path.open("rb") as file:
        return SHELL_INTERPRETER.match(file.readline(200).decode("utf-8", "replace")) is not None


def measure_shell_script(shape: Shape, file: str, text: str) -> None:
    """Adds the functions of a shell script that say a state."""
    for name, number in shell_functions(text):
        if says_a_state(name):
            shape.participles.append(Offender(file, number, name))


def measure(root: Path, tests: str) -> Shape:
    """Measures the tracked files of a checkout, whose tests are mirrored below `tests`."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True
    )
    files = [
        file for file in sorted(filter(None, listing.stdout.split("\0"))) if _is_file(root, file)
    ]
    packages = {
        Path(file).parts[0]
        for file in files
        if file.count("/") == 1 and file.endswith("/__init__.py")
    }
    packages -= {tests}
    shape = Shape()
    for file in files:
        path = Path(file)
        if path.suffix == ".py":
            text = (root / path).read_text()
            if path.parts[0] in packages:
                measure_file(shape, file, text)
                _find_mirror(shape, root, path, tests)
            else:
                measure_loose_file(shape, file, text, is_test=path.parts[0] == tests)
        elif path.suffix == ".js" and path.parts[0] in packages:
            measure_page_script(shape, file, (root / path).read_text())
        elif is_shell_script(root / path):
            measure_shell_script(shape, file, (root / path).read_text())
    return shape


def _is_file(root: Path, file: str) -> bool:
    return (root / file).is_file() and not (root / file).is_symlink()


def _find_mirror(shape: Shape, root: Path, path: Path, tests: str) -> None:
    """Counts a module, and notes it if no test file has its name in its place."""
    if path.name in {"__init__.py", "__main__.py"}:
        return
    shape.modules += 1
    mirror = Path(tests) / path.with_name(f"test_{path.name}")
    if not (root / mirror).exists():
        shape.untested.append(Offender(str(path), 1, f"no {mirror}"))


def _length(place: Offender) -> int:
    return int(place.text.split()[0])


def figures(shape: Shape, bounds: dict[str, dict[str, float]]) -> list[Figure]:
    """The figures of a shape, each with its bound; `bounds` has the keys at_most and at_least."""
    files = sorted(shape.file_lines, key=_length, reverse=True)
    longest = sorted(shape.file_lines + shape.loose_lines, key=_length, reverse=True)
    functions = sorted(shape.function_lines, key=_length, reverse=True)
    long_functions = [place for place in functions if _length(place) > 50]
    documented = 1 - len(shape.undocumented) / max(shape.documentable, 1)
    mirrored = 1 - len(shape.untested) / max(shape.modules, 1)
    comments = round(1000 * shape.comments / max(shape.lines, 1), 1)
    mutual = mutual_folders(shape.imports)
    median = statistics.median(map(_length, files)) if files else 0

    def figure(
        name: str, value: float, offenders: list[Offender], largest: list[Offender] = files[:0]
    ) -> Figure:
        return Figure(
            name=name,
            value=value,
            offenders=offenders,
            note=str(largest[0]) if largest else "",
            at_most=bounds.get("at_most", {}).get(name),
            at_least=bounds.get("at_least", {}).get(name),
        )

    return [
        figure("vague_bindings", len(shape.vague), shape.vague),
        figure("vague_in_tests", len(shape.vague_in_tests), shape.vague_in_tests),
        figure("participle_functions", len(shape.participles), shape.participles),
        figure("tensors_without_shape", len(shape.tensors), shape.tensors),
        figure("fmt_skip", len(shape.fmt_skips), shape.fmt_skips),
        figure("docstrings", documented, shape.undocumented),
        figure("mirrored_tests", mirrored, shape.untested),
        figure("median_file", median, files),
        figure("largest_file", _length(longest[0]) if longest else 0, longest, longest),
        figure("longest_function", _length(functions[0]) if functions else 0, functions, functions),
        figure("functions_over_50", len(long_functions), long_functions),
        figure("mutual_folders", len(mutual), mutual),
        figure("comments_per_1000", comments, []),
    ]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(), help="the checkout to measure")
    parser.add_argument("--list", metavar="FIGURE", help="print what this figure counts")
    parser.add_argument("path", nargs="?", default="", help="with --list: only below this path")
    options = parser.parse_args(arguments)
    settings = tomllib.loads((options.root / "pyproject.toml").read_text())["tool"]["house"]
    shape = measure(options.root, settings["tests"])
    results = figures(shape, settings)
    unknown = {name for kind in ("at_most", "at_least") for name in settings.get(kind, {})} - {
        figure.name for figure in results
    }
    if unknown:
        parser.error(f"[tool.house] bounds figures that do not exist: {', '.join(sorted(unknown))}")
    if options.list is None:
        print("\n".join(map(str, results)))
        return 0 if all(figure.within_bound for figure in results) else 1
    chosen = [figure for figure in results if figure.name == options.list]
    if not chosen:
        parser.error(f"no figure {options.list}; there are: {', '.join(f.name for f in results)}")
    folder = options.path.removeprefix("./").rstrip("/")
    for place in chosen[0].offenders:
        if not folder or place.file == folder or place.file.startswith(f"{folder}/"):
            print(place)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `--list ... | head` ends without a traceback
    sys.exit(main())
