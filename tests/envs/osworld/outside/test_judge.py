"""Metrics in a process of their own: files that are made to do harm end the call, nothing else."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from openpyxl import Workbook
from psutil import process_iter

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.outside.judge import judge
from envs.osworld.outside.judge_messages import Limits
from envs.state.evidence import File, Measure, pack_value

SMALL = Limits(wall_s=20, cpu_s=5, memory=1024**3, file_size=10 * 1024**2)
LAUGHS = "<!DOCTYPE d [<!ENTITY e0 'ha'>{}]>".format(
    "".join(f"<!ENTITY e{n} '{f'&e{n - 1};' * 10}'>" for n in range(1, 12))
)


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where judges have their folders; nothing is left there."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


async def _judged(
    folder: Path, metric: str, result: Any, expected: Any = None, **more: Any
) -> float:
    """Of one metric, whose files lie in the folder."""
    options = more.pop("options", {})
    sides = {
        side: value if isinstance(value, File) else pack_value(value, folder)
        for side, value in (("result", result), ("expected", expected))
        if value is not None
    }
    (score,) = await judge([Measure(func=metric, options=options, **sides)], folder, **more)
    return score


async def _refused(folder: Path, *call: Any, limits: Limits = SMALL) -> str:
    """Why there is no score, or "0.0"."""
    started = time.monotonic()
    try:
        score = await _judged(folder, *call, limits=limits)
    except EpisodeFault as fault:
        reason = str(fault)
    else:
        reason = str(score)
    assert time.monotonic() - started < limits.wall_s + 5
    assert reason == "0.0" or reason.startswith(InvalidReason.EVALUATOR_ERROR)
    return reason


def _replace_member(path: Path, member: str, content: bytes) -> None:
    """The archive with one of its members replaced."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    assert member in members
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, old in members.items():
            archive.writestr(name, content if name == member else old)


async def test_a_metric_gives_its_score(tmp_path: Path, scratch: Path) -> None:
    first, other = tmp_path / "one.txt", tmp_path / "other.txt"
    first.write_text("One")
    other.write_text("one")
    assert await _judged(tmp_path, "compare_text_file", first, other) == 0
    case = {"ignore_case": True}
    assert await _judged(tmp_path, "compare_text_file", first, other, options=case) == 1
    assert await _judged(tmp_path, "is_utc_0", "Time zone: Etc/UTC (UTC, +0000)") == 1
    assert await _judged(tmp_path, "compare_image_list", [], []) == 1


async def test_all_metrics_of_a_task_are_judged_in_one_call(tmp_path: Path, scratch: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    file = pack_value(tmp_path / "a.txt", tmp_path)
    measures = [
        Measure(func="compare_text_file", result=file, expected=file),
        Measure(func="is_utc_0", result=pack_value("Time zone: Europe/Rome")),
    ]
    assert await judge(measures, tmp_path) == [1, 0]
    with pytest.raises(EpisodeFault, match="metric no_metric: LookupError"):
        await judge([*measures, Measure(func="no_metric")], tmp_path)


async def test_compat_is_upstreams_score(tmp_path: Path, scratch: Path) -> None:
    call = (
        tmp_path,
        "is_extension_installed",
        "mytest.py",
        {"type": "contain", "expected": "test.py"},
    )
    assert await _judged(*call) == 0
    assert await _judged(*call, compat=True) == 1
    assert await _judged(tmp_path, "compare_answer", "a", {"expected": "a"}, compat=True) == 1


async def test_errors_say_why(tmp_path: Path, scratch: Path) -> None:
    assert "no such metric" in await _refused(tmp_path, "no_metric", "a")
    rule = {"type": "has", "expected": "a"}
    assert "ValueError: type is 'has'" in await _refused(
        tmp_path, "is_extension_installed", "a", rule
    )
    assert "TypeError" in await _refused(tmp_path, "is_utc_0", "a", "b")


async def test_a_regular_expression_that_explodes_is_ended(tmp_path: Path, scratch: Path) -> None:
    call = ("is_expected_url_pattern_match", "a" * 60 + "!", {"expected": ["(a|a|aa)+$"]})
    assert "ran past 3 s" in await _refused(tmp_path, *call, limits=Limits(wall_s=3))
    reason = await _refused(tmp_path, *call, limits=Limits(wall_s=30, cpu_s=3))
    assert "processor time" in reason


async def test_a_zip_bomb_is_ended(tmp_path: Path, scratch: Path) -> None:
    bomb = tmp_path / "bomb.xlsx"
    Workbook().save(bomb)
    row = b'<row r="1">' + b'<c r="A1"><v>1</v></c>' * 1000 + b"</row>"
    sheet = (
        b"<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><sheetData>"
    )
    _replace_member(bomb, "xl/worksheets/sheet1.xml", sheet + row * 20_000)
    assert bomb.stat().st_size < 10 * 1024**2
    assert await _refused(tmp_path, "workbook_is", bomb, {"Sheet": [[1]]})


async def test_an_xml_bomb_does_nothing(tmp_path: Path, scratch: Path) -> None:
    bomb = tmp_path / "bomb.docx"
    Document().save(bomb)
    name = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = f"{LAUGHS}<w:document xmlns:w='{name}'><w:body><w:p><w:r><w:t>&e11;</w:t></w:r></w:p>"
    _replace_member(bomb, "word/document.xml", f"{body}</w:body></w:document>".encode())
    assert await _refused(tmp_path, "document_is", bomb, {"blocks": [{"text": "ha"}]})


async def test_a_huge_file_is_not_all_read(tmp_path: Path, scratch: Path) -> None:
    gold = tmp_path / "gold"
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(500 * 1024**2)
    huge = File(path="huge", bytes=0, sha256="0" * 64)
    gold.write_text("one")
    for metric in ("compare_text_file", "compare_zip_files", "compare_images", "compare_audios"):
        assert await _refused(tmp_path, metric, huge, gold)


async def test_a_program_that_writes_and_forks_leaves_nothing(
    tmp_path: Path, scratch: Path
) -> None:
    suite = tmp_path / "suite.py"
    sleeper = ["sleep", f"61.{os.getpid()}"]
    suite.write_text(
        "import os, subprocess, time\n"
        "def test():\n"
        f"    subprocess.Popen({sleeper!r})\n"
        "    open(os.path.expanduser('~/left'), 'w').write('x')\n"
        "    time.sleep(60)\n"
    )
    call = ("check_python_file_by_test_suite", suite, suite)
    assert "ran past 2 s" in await _refused(tmp_path, *call, limits=Limits(wall_s=2))
    assert {path.name for path in tmp_path.iterdir()} == {"suite.py", "scratch"}
    assert not any(process.info["cmdline"] == sleeper for process in process_iter(["cmdline"]))


async def test_what_a_metric_runs_has_no_network_and_writes_nothing_outside(
    tmp_path: Path, scratch: Path
) -> None:
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    suite = tmp_path / "suite.py"
    suite.write_text(
        "import os, pathlib, socket\n"
        "def test():\n"
        "    done = []\n"
        "    for work in (\n"
        f"        lambda: pathlib.Path({str(tmp_path)!r}, 'escaped').write_text('x'),\n"
        f"        lambda: socket.create_connection(('127.0.0.1', {port}), 2),\n"
        f"        lambda: os.kill({os.getpid()}, 0),\n"
        f"        lambda: pathlib.Path({__file__!r}).read_text(),\n"
        "    ):\n"
        "        try:\n"
        "            work()\n"
        "        except OSError:\n"
        "            continue\n"
        "        done.append(work)\n"
        "    return 1.0 - len(done) / 4\n"
    )
    async with server:
        assert await _judged(tmp_path, "check_python_file_by_test_suite", suite, suite) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"suite.py", "scratch"}
