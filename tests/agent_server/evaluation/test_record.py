"""`deskhand eval --record`: a film of a desktop's episode, exported under OSWorld's name."""

from __future__ import annotations

from pathlib import Path

import av
import pytest

from agent_server.evaluation.job.plan import Evaluation
from tests.evaluation_jobs import ended

TASK = Path("tasksets/bundled/desktop/mousepad/files_edit_setting.json").resolve()


@pytest.mark.desktop
def test_an_episode_on_a_desktop_is_filmed_and_exported(tmp_path: Path) -> None:
    run, to = tmp_path / "filmed", tmp_path / "to"
    ended("--tasks", str(TASK), "--policy", "oracle", "--desktops", "1", "--record",
          "--no-screenshots", "--runs", str(tmp_path), "--name", run.name)  # fmt: skip
    ended("export", str(run), "--to", str(to), "--format", "osworld")
    (film,) = to.glob("deskhand/a11y_tree/oracle/*/*/recording.mp4")
    assert float(film.with_name("result.txt").read_text()) == 1.0
    with av.open(str(film)) as opened:
        stream = opened.streams.video[0]
        frames = list(opened.decode(stream))
    assert (stream.width, stream.height) == (1280, 720)
    assert frames
    stamp = Evaluation.read(run).stamp
    assert (stamp.image, bool(stamp.no_image)) == (None, True), "boxes of this machine"
    assert {"mousepad", "xvfb"} <= stamp.applications.keys()
    assert not (run / "logs" / "worker.log").read_text().count("not filmed")
