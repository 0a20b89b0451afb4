"""Wrong outcomes of a task, made on the box's files: over-actions and forgeries."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from docx import Document
from openpyxl import load_workbook
from pptx import Presentation

from envs.contract.task import Task
from envs.osworld.inside.machine import BOX_HOME

Edit = Callable[[], None]
FAR_CELL = "AB40"
KINDS = 3
"""Of forgeries of a file."""


def host_path(home: Path, path: str) -> Path:
    """Where a file of the box lies on this machine."""
    return home / path.removeprefix(f"{BOX_HOME}/")


def judged_files(task: Task) -> list[str]:
    """Files that the evaluator reads from the agent's home."""
    results = (task.evaluator or {})["result"]
    results = results if isinstance(results, list) else [results]
    return list(dict.fromkeys(result["path"] for result in results if result["type"] == "vm_file"))


def over_actions(task: Task, home: Path) -> Iterator[tuple[str, Edit]]:
    """(description, edit): changes beyond what the task asks for."""
    yield "a stray file", lambda: host_path(home, f"{BOX_HOME}/Documents/extra.txt").write_text("x")
    for path in judged_files(task):
        file = host_path(home, path)
        mutate = _MUTATIONS.get(file.suffix)
        if mutate is not None:
            yield f"a further change of {file.name}", lambda file=file, m=mutate: m(file)
    for over in (task.model_extra or {}).get("over", ()):
        file = host_path(home, over["path"])
        text = over["append"]
        yield f"an edit of {file.name}", lambda file=file, text=text: _append(file, text)


def forgeries(task: Task, home: Path) -> Iterator[tuple[str, Edit]]:
    """(description, edit): something else in place of a judged file."""
    for path in judged_files(task):
        file = host_path(home, path)
        yield f"{file.name} as a plain text", lambda file=file: _write(file, "done\n")
        yield f"{file.name} as a link", lambda file=file: _link(file)
        yield f"{file.name} as a folder", lambda file=file: _folder(file)


def _append(file: Path, text: str) -> None:
    with file.open("a") as out:
        out.write(text)


def _write(file: Path, text: str) -> None:
    _clear(file)
    file.write_text(text)


def _link(file: Path) -> None:
    copy = file.with_name(f"kept-{file.name}")
    if file.exists():
        shutil.copy2(file, copy)
    _clear(file)
    file.symlink_to(copy.name)


def _folder(file: Path) -> None:
    _clear(file)
    file.mkdir(parents=True)


def _clear(file: Path) -> None:
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file)
    else:
        file.unlink(missing_ok=True)
    file.parent.mkdir(parents=True, exist_ok=True)


def _more_cells(file: Path) -> None:
    book = load_workbook(file)
    book.active[FAR_CELL] = "extra"
    book.save(file)


def _more_text(file: Path) -> None:
    document = Document(str(file))
    document.add_paragraph("An extra paragraph.")
    document.save(str(file))


def _more_slides(file: Path) -> None:
    slides: Any = Presentation(str(file))
    slides.slides.add_slide(slides.slide_layouts[0])
    slides.save(str(file))


_MUTATIONS: dict[str, Callable[[Path], None]] = {
    ".xlsx": _more_cells,
    ".docx": _more_text,
    ".pptx": _more_slides,
    ".txt": lambda file: _append(file, "extra\n"),
    ".md": lambda file: _append(file, "extra\n"),
    ".csv": lambda file: _append(file, "extra,1\n"),
}
