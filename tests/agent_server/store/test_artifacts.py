from __future__ import annotations

import base64
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_server.episodes.trajectory import Completion, EpisodeResult, SeenPicture, Step
from agent_server.store.artifacts import ArtifactError, Artifacts, Recorder
from envs.contract.actions import ActionResult
from envs.contract.observations import Screenshot
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict


def line(index: int) -> bytes:
    step = Step(
        index=index, prompt="p", completion=Completion(text="done"), result=ActionResult(ok=True)
    )
    return step.model_dump_json().encode()


@pytest.fixture(params=["folder", "fsspec"])
def artifacts(request: pytest.FixtureRequest, tmp_path: Path) -> Artifacts:
    """The same behaviour in a folder and in an object store."""
    return Artifacts(str(tmp_path) if request.param == "folder" else f"memory://{uuid.uuid4()}")


def test_an_episode_reads_back_as_it_was_written(artifacts: Artifacts) -> None:
    files = artifacts.open("e1")
    files.append(line(0))
    files.append(line(1))
    files.put("000.png", b"picture")
    files.put("summary.json", b'{"score": 1}')
    files.close()
    trajectory = artifacts.read_trajectory("e1")
    assert [step.index for step in trajectory.steps] == [0, 1]
    assert trajectory.summary == {"score": 1}
    assert artifacts.read_screenshot("e1", "000.png") == b"picture"


def test_what_is_not_there_is_named(artifacts: Artifacts) -> None:
    with pytest.raises(KeyError, match="e404"):
        artifacts.read_trajectory("e404")
    with pytest.raises(KeyError, match=r"e404.*000\.png"):
        artifacts.read_screenshot("e404", "000.png")


def test_a_second_attempt_cannot_write_into_the_first(artifacts: Artifacts) -> None:
    first = artifacts.open("e1")
    first.append(line(0))
    first.close()
    with pytest.raises(ArtifactError, match="belongs to another episode"):
        artifacts.open("e1")
    second = artifacts.open("e1.2")
    second.append(line(0))
    second.close()
    assert len(artifacts.read_trajectory("e1").steps) == 1


@given(st.text(max_size=40) | st.sampled_from(["..", ".", "", "a/../b", "/etc/passwd", "a\x00b"]))
def test_no_name_leads_outside_the_folder(name: str) -> None:
    artifacts = Artifacts("/nonexistent/folder")
    try:
        folder = artifacts._folder(name)
    except KeyError:
        return
    assert Path(folder).resolve().parent == Path("/nonexistent/folder/episodes")


@pytest.mark.parametrize(
    "name", ["../000.png", "steps.jsonl", "000.png/..", "000.gif", "", "é.png"]
)
def test_only_screenshots_are_served_as_screenshots(artifacts: Artifacts, name: str) -> None:
    with pytest.raises(KeyError, match="is not the name of a screenshot"):
        artifacts.read_screenshot("e1", name)


def test_steps_can_be_followed_while_the_episode_runs(tmp_path: Path) -> None:
    artifacts = Artifacts(str(tmp_path))
    files = artifacts.open("e1")
    assert artifacts.read_steps("e1", 0) == ([], 0)
    files.append(line(0))
    steps, offset = artifacts.read_steps("e1", 0)
    assert [step.index for step in steps] == [0]
    files.append(line(1))
    steps, offset = artifacts.read_steps("e1", offset)
    assert [step.index for step in steps] == [1]
    assert artifacts.read_steps("e1", offset) == ([], offset)
    files.close()


def test_a_line_that_a_killed_worker_left_half_is_not_read(tmp_path: Path) -> None:
    artifacts = Artifacts(str(tmp_path))
    files = artifacts.open("e1")
    files.append(line(0))
    files.close()
    with (tmp_path / "episodes/e1/steps.jsonl").open("ab") as file:
        file.write(line(1)[:20])
    assert [step.index for step in artifacts.read_trajectory("e1").steps] == [0]


FILLED_DISK = """
import resource, signal, sys
from agent_server.store.artifacts import Artifacts, ArtifactError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
files = Artifacts(sys.argv[1]).open("e1")
files.append(b"x" * 600)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
for write in (lambda: files.append(b"y" * 600), lambda: files.put("000.png", b"z" * 2000)):
    try:
        write()
    except ArtifactError as error:
        print(error)
files.append(b"w" * 100)
"""


def test_a_write_that_finds_no_room_leaves_what_was_there_intact(tmp_path: Path) -> None:
    """The limit on file size stands for a full disk: the kernel takes a part, then refuses."""
    done = subprocess.run(
        [sys.executable, "-c", FILLED_DISK, str(tmp_path)],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    folder = tmp_path / "episodes/e1"
    first, second = done.stdout.splitlines()
    assert first.startswith(f"cannot write {folder / 'steps.jsonl'}: ")
    assert second.startswith(f"cannot write {folder / '000.png'}: ")
    assert "DESKHAND_ARTIFACTS_URL" in first
    assert (folder / "steps.jsonl").read_bytes() == b"x" * 600 + b"\n" + b"w" * 100 + b"\n"
    assert [path.name for path in folder.iterdir()] == ["steps.jsonl"]


def test_free_room_is_known_for_folders_only(tmp_path: Path) -> None:
    free = Artifacts(str(tmp_path)).free_bytes()
    assert free is not None
    assert free > 0
    assert Artifacts("memory://x").free_bytes() is None


STEP = Step(index=0, prompt="p", completion=Completion(text="done"), result=ActionResult.success())


def test_steps_can_be_read_while_the_episode_runs(tmp_path: Path) -> None:
    artifacts = Artifacts(str(tmp_path))
    with Recorder(artifacts, "e1") as recorder:
        picture = Screenshot(format="png", width=1, height=1, data=base64.b64encode(b"x").decode())
        assert recorder.save_screenshot(3, picture) == "003.png"
        recorder.record_step(STEP)
        assert artifacts.read_steps("e1", 0)[0] == [STEP]
    assert artifacts.read_screenshot("e1", "003.png") == b"x"


def test_the_summary_has_the_result_and_the_row_s_fields(tmp_path: Path) -> None:
    artifacts = Artifacts(str(tmp_path))
    with Recorder(artifacts, "e1") as recorder:
        recorder.save_evidence(b"zip")
        recorder.save_film(b"mp4")
        verdict = Verdict(score=0.5)
        result = EpisodeResult(Status.SCORED, EndReason.DONE, verdict=verdict, steps=2)
        recorder.finish(result, {"run_id": "r", "attempt": 1})
    summary = artifacts.read_trajectory("e1").summary
    assert (summary["status"], summary["score"], summary["run_id"]) == ("scored", 0.5, "r")
    assert (artifacts.read_evidence("e1"), artifacts.read_film("e1")) == (b"zip", b"mp4")


def test_a_second_attempt_needs_an_id_of_its_own(tmp_path: Path) -> None:
    with Recorder(Artifacts(str(tmp_path)), "e1") as recorder:
        recorder.record_step(STEP)
    with pytest.raises(ArtifactError, match="another episode"):
        Recorder(Artifacts(str(tmp_path)), "e1")


def test_a_picture_that_several_steps_showed_is_kept_once_and_read_with_them(
    artifacts: Artifacts,
) -> None:
    name = "ab" * 32 + ".png"
    seen = SeenPicture(name=name, width=160, height=224, offset=3, tokens=35, data=b"picture")
    with Recorder(artifacts, "e1") as recorder:
        for index in range(2):
            recorder.record_step(
                Step(
                    index=index,
                    prompt="p",
                    completion=Completion(text="done", pictures=(seen,)),
                    result=ActionResult(ok=True),
                )
            )
    plain = artifacts.read_trajectory("e1").steps[1].completion.pictures[0]
    assert (plain.data, plain.size, plain.tokens) == (b"", (160, 224), 35)
    assert all(step.completion.pictures == (seen,) for step in artifacts.read_seen("e1").steps)
    assert artifacts.read_screenshot("e1", name) == b"picture"
    assert artifacts.newest_screenshot("e1") is None, "it is no recorded screen"
