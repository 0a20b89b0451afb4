"""Files of the client's mirror, lent to a real desktop for one task."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Task
from envs.osworld.format.assets import SETTING, asset_path
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop
URL = "https://nowhere.invalid/a/notes.txt"
PAGES = "/home/user/Documents"


async def test_a_box_without_a_mirror_gets_only_what_the_steps_of_its_task_take(
    user: DesktopUser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = "https://nowhere.invalid/a/expected.txt"
    asset_path(URL, tmp_path).write_text("from the client's mirror")
    asset_path(expected, tmp_path).write_text("the answer")
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "b.txt").write_text("uploaded")
    monkeypatch.setenv(SETTING, str(tmp_path))
    files = [{"url": URL, "path": f"{PAGES}/notes.txt"}]
    download = {"type": "download", "parameters": {"files": files}}
    files = [{"local_path": "cache/b.txt", "path": f"{PAGES}/b.txt"}]
    upload = {"type": "upload_file", "parameters": {"files": files}}
    judge = {
        "func": "compare_text_file",
        "result": {"type": "vm_file", "path": f"{PAGES}/notes.txt", "dest": "notes.txt"},
        "expected": {"type": "cloud_file", "path": expected, "dest": "e"},
    }
    evaluator = {**judge, "postconfig": [download]}
    await user.reset(
        Task(id="t", instruction="x", env="desktop", config=[download, upload], evaluator=evaluator)
    )
    assert (user.home / "Documents" / "notes.txt").read_text() == "from the client's mirror"
    assert (user.home / "Documents" / "b.txt").read_text() == "uploaded"
    look = 'grep -rl "the answer" /home /tmp /run 2>/dev/null; ls -l /proc/[0-9]*/fd 2>/dev/null'
    output = (await user.tool("shell.run", command=look))["output"]
    assert "the answer" not in output
    assert "memfd:asset" not in output
    (user.home / "Documents" / "notes.txt").unlink()
    assert not (await user.session.evaluate()).success  # after the postconfig, which needs it too
    assert (user.home / "Documents" / "notes.txt").exists()
    # It was lent for that task only: the next one finds it neither here nor on a network.
    monkeypatch.delenv(SETTING)
    with pytest.raises(EpisodeFault, match=r"download.*nowhere\.invalid"):
        await user.reset(Task(id="u", instruction="x", env="desktop", config=[download]))
