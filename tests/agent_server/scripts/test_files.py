"""Scripts as files: written and read, faults with file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.scripts.files import ScriptFileError, read_script, write_script
from agent_server.scripts.make import make_script
from tests.agent_server.scripts.recorded import TASK, record


def test_what_is_written_is_read(tmp_path: Path) -> None:
    script = make_script("phone", TASK, record())
    write_script(tmp_path / "scripts" / "phone.json", script)
    assert read_script(tmp_path / "scripts" / "phone.json") == script


@pytest.mark.parametrize(
    ("text", "why"), [('{"name": "x"}', "x.json: task: Field required"), ("[", "Invalid JSON")]
)
def test_a_fault_names_the_file_and_the_key(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "x.json"
    with pytest.raises(ScriptFileError, match="cannot read"):
        read_script(file)
    file.write_text(text)
    with pytest.raises(ScriptFileError, match=why):
        read_script(file)
