"""One LibreOffice and one bridge for the session; a fresh document of a kind for each test."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from PIL import Image

from tests.envs.apps.office.real_office import BridgeProcess, Refused, running_office

Call = Callable[..., Any]
NewDocument = Callable[[str, str], Path]


@pytest.fixture(scope="session")
def office_pipe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_office(tmp_path_factory.mktemp("office")) as pipe:
        yield pipe


@pytest.fixture(scope="session")
def call(office_pipe: str) -> Iterator[Call]:
    """`call("calc.set_cell", cell="A1", value=3)`: the tool's value, or `Refused`."""
    bridge = BridgeProcess(office_pipe)
    yield bridge.call
    bridge.close()


@pytest.fixture
def new_document(call: Call, tmp_path: Path) -> Iterator[NewDocument]:
    """`new_document("calc", "book.xlsx")`: path of a new open document, closed after the test."""
    created: list[Path] = []

    def make(kind: str, name: str) -> Path:
        path = tmp_path / name
        call("office.new", kind=kind, path=str(path))
        created.append(path)
        return path

    yield make
    for path in created:
        with contextlib.suppress(Refused):
            call("office.close", path=str(path))


@pytest.fixture
def book(new_document: NewDocument) -> Path:
    return new_document("calc", "book.xlsx")


@pytest.fixture
def letter(new_document: NewDocument) -> Path:
    return new_document("writer", "letter.docx")


@pytest.fixture
def slides(new_document: NewDocument) -> Path:
    return new_document("impress", "slides.pptx")


@pytest.fixture
def picture(tmp_path: Path) -> str:
    """A picture of 200 x 100 red pixels."""
    path = tmp_path / "red.png"
    Image.new("RGB", (200, 100), "red").save(path)
    return str(path)


PEOPLE: list[list[Any]] = [
    ["Name", "Team", "Pay"],
    ["Ann", "Red", 30],
    ["Bob", "Blue", 10],
    ["Cy", "Red", 20],
    ["Dee", "Green", 40],
]


@pytest.fixture
def people(book: Path, call: Call) -> Path:
    """A workbook whose Sheet1 has a table of four people in A1:C5."""
    call("calc.write_range", cell="A1", rows=PEOPLE)
    return book


@pytest.fixture
def workbook(call: Call) -> Callable[[], Any]:
    """Saves the spreadsheet and gives it as openpyxl reads the file."""
    return lambda: openpyxl.load_workbook(call("calc.save"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what uses the shared LibreOffice; other tests that start one mark themselves."""
    for item in items:
        if "office_pipe" in getattr(item, "fixturenames", ()):
            item.add_marker("office")
