"""`deskhand script`: made of an episode, shown, listed; errors in sentences."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from agent_server.cli.main import load_commands
from agent_server.episodes.trajectory import EpisodeResult
from agent_server.scripts.files import read_script
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.outcomes import EndReason, Status
from tests.agent_server.scripts.recorded import TASK, record


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """A run with one finished episode, e1, and one that went astray, e2."""
    settings = Settings(run_dir=tmp_path / "run")
    with Store.open(settings) as store:
        for name, reason in (("e1", EndReason.DONE), ("e2", EndReason.LOOP)):
            task = TASK.model_dump(mode="json")
            store.episodes.create([Episode(id=name, run_id="api", purpose="api", task=task)])
            store.episodes.lease(name, "worker")
            store.episodes.finish(name, "worker", EpisodeResult(Status.UNJUDGED, reason))
    with Recorder(Artifacts(settings.artifacts), "e1") as recorder:
        for step in record():
            recorder.record_step(step)
    return tmp_path / "run"


def call(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(load_commands(), ["script", *map(str, arguments)])
    return result.exit_code, result.output


def test_make_show_and_list(run_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "scripts" / "phone.json"
    code, output = call("make", run_dir, "e1", "--name", "phone", "--out", file)
    assert code == 0, output
    assert output.endswith(f"wrote {file}\n")
    assert read_script(file).examples == {"search": "Hugo Blanc", "phone": "555-0199"}
    assert "parameter phone = '555-0199'" in call("show", file)[1]
    (file.parent / "broken.json").write_text("{")
    code, output = call("list", file.parent)
    assert code == 0
    assert "version 1, 5 steps, search, phone: Set the phone of {search}" in output
    assert "broken.json: no script" in output


def test_the_schema_describes_files() -> None:
    code, output = call("schema")
    assert code == 0
    assert orjson.loads(output)["properties"]["format"]["const"] == "deskhand-script/1"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("e9",), "there is no episode 'e9'"),
        (("e2",), "e2 did not succeed: loop"),
        (("e1", "--param", "x"), "NAME=VALUE"),
        (("e1", "--param", "x=Nobody"), "neither typed"),
    ],
)
def test_what_makes_no_script_is_said(run_dir: Path, arguments: tuple[str, ...], why: str) -> None:
    code, output = call("make", run_dir, *arguments, "--name", "phone")
    assert code == 2
    assert why in " ".join(output.replace("│", " ").split())
