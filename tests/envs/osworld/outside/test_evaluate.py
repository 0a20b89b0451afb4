"""Evaluators judged from what a machine collects: OSWorld's meaning, and machines that lie."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Verdict
from envs.contract.task import Task
from envs.osworld.format.assets import asset_path
from envs.osworld.format.ending import Ending
from envs.osworld.inside.support.collect import Collector
from envs.osworld.inside.support.setup import Setup
from envs.osworld.outside.evaluate import evaluate
from envs.osworld.outside.verdict import combine_scores, judge_evidence
from envs.state.bundle import unpack_evidence
from envs.state.evidence import Collected, Data, File

URL = "https://nowhere.invalid/{}"
HASH = "0" * 64


class Making(Setup):
    """Its steps make files."""

    async def run(
        self, steps: Sequence[Mapping[str, Any]], limit_s: float | None = None
    ) -> list[str]:
        for step in steps:
            (self._machine.home / step["makes"]).write_text("made")
        return []


class Here:
    """A box that is a folder; `asked` is what it was told."""

    def __init__(self, home: Path) -> None:
        self.machine: Any = SimpleNamespace(home=home, outputs={}, baseline={})
        self.collector = Collector()
        self.asked: list[Any] = []

    async def collect(
        self, postconfig: Sequence[Mapping[str, Any]], getters: Sequence[Mapping[str, Any]]
    ) -> Collected:
        self.asked += [list(postconfig), list(getters)]
        setup = Making(self.machine)
        return await self.collector.collect(self.machine, setup, postconfig, getters)

    async def bring(self, value: int, number: int, claim: File, place: Path) -> None:
        shutil.copyfile(self.collector.file(value, number), place)


class Liar(Here):
    """A box that answers what it likes."""

    def __init__(self, home: Path, answer: dict[str, Any]) -> None:
        super().__init__(home)
        self.answer = answer

    async def collect(self, postconfig: Any, getters: Any) -> Collected:
        return Collected.model_validate(self.answer)

    async def bring(self, value: int, number: int, claim: File, place: Path) -> None:
        place.write_bytes(b"x")


@pytest.fixture
def box(tmp_path: Path) -> Here:
    (tmp_path / "home").mkdir()
    return Here(tmp_path / "home")


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "mirror"
    folder.mkdir()
    monkeypatch.setenv("DESKHAND_ASSETS", str(folder))
    return folder


def task(func: Any, result: Any = None, expected: Any = None, **more: Any) -> Task:
    evaluator = {"func": func, "result": result, "expected": expected, **more}
    return Task(id="t", instruction="x", env="desktop", evaluator=evaluator)


def file(*names: str, **more: Any) -> dict[str, Any]:
    paths = [f"/home/user/{name}" for name in names]
    several = {"path": paths, "dest": list(names), "multi": True}
    return {"type": "vm_file", **(several if len(names) > 1 else {"path": paths[0]}), **more}


def rule(rules: Any) -> dict[str, Any]:
    return {"type": "rule", "rules": rules}


def answered(text: str) -> dict[str, Any]:
    return {
        "func": "exact_match",
        "result": {"type": "answer"},
        "expected": rule({"expected": text}),
    }


async def judged(box: Here, judged_task: Task, answer: str | None = None) -> Verdict:
    return await evaluate(box, judged_task, Ending(answer, False))


async def fault_of(box: Here, judged_task: Task) -> str:
    with pytest.raises(EpisodeFault) as caught:
        await judged(box, judged_task)
    assert caught.value.reason is InvalidReason.EVALUATOR_ERROR
    return caught.value.detail


async def test_the_box_is_asked_for_what_only_it_can_say(box: Here, mirror: Path) -> None:
    asset_path(URL.format("gold.txt"), mirror).write_text("made")
    gold = {"type": "cloud_file", "path": URL.format("gold.txt"), "dest": "gold.txt"}
    both = [file("a.txt"), {"type": "answer"}]
    to_judge = task(
        ["compare_text_file", "exact_match"], both, [gold, rule({"expected": "yes"})],
        postconfig=[{"makes": "a.txt"}],
    )  # fmt: skip
    verdict = await judged(box, to_judge, "yes")
    assert verdict.details["scores"] == {"compare_text_file": 1, "exact_match": 1}
    assert box.asked == [[{"makes": "a.txt"}], [file("a.txt")]]


async def test_a_missing_file_scores_0_and_the_others_count(box: Here) -> None:
    (box.machine.home / "a").write_text("x")
    funcs = ["text_is", "text_is"]
    results, rules = [file("none"), file("a")], [rule("x"), rule("x")]
    for conj, score in (("and", 0), ("or", 1)):
        verdict = await judged(box, task(funcs, results, rules, conj=conj))
        assert (verdict.score, verdict.details["scores"]) == (
            score,
            {"0:text_is": 0, "1:text_is": 1},
        )
    assert "neither" in await fault_of(box, task("text_is", file("a"), rule("x"), conj="neither"))


@pytest.mark.parametrize(
    ("conj", "scores", "expected"),
    [("and", [1, 0.5], 0.75), ("and", [0.5, 0], 0), ("or", [0, 0.5], 0.5)],
)
def test_scores_are_joined_as_osworld_does(conj: str, scores: list[float], expected: float) -> None:
    assert combine_scores(scores, conj) == expected


async def test_milestones_are_reported_and_do_not_count(box: Here) -> None:
    (box.machine.home / "a").write_text("x")
    began = {"func": "text_is", "result": file("a"), "expected": rule("x")}
    to_judge = task(**answered("b"), milestones={"began": began, "said": answered("a")})
    verdict = await judged(box, to_judge, "b")
    assert (verdict.score, verdict.milestones) == (1, {"began": True, "said": False})


@pytest.mark.parametrize(
    ("func", "gave_up", "score"),
    [("infeasible", True, 1), ("infeasible", False, 0), ("exact_match", True, 0)],
)
async def test_giving_up_is_right_for_what_cannot_be_done(
    box: Here, func: str, gave_up: bool, score: float
) -> None:
    verdict = await evaluate(box, task(func), Ending(None, gave_up))
    assert verdict.score == score
    assert box.asked == []


async def test_what_cannot_be_looked_at_is_a_fault_and_no_0(box: Here) -> None:
    for getter in ({"type": "fly"}, {"type": "googledrive_file"}, {"type": "cache_file"}):
        assert getter["type"] in await fault_of(box, task("text_is", getter, rule("x")))
    assert "no such metric" in await fault_of(box, task("fly", {"type": "answer"}))
    assert "func" in await fault_of(box, Task(id="t", instruction="x", evaluator={"result": {}}))


async def test_the_evidence_gives_the_same_verdict_elsewhere(box: Here, tmp_path: Path) -> None:
    (box.machine.home / "a").write_text("x")
    kept: list[bytes] = []
    to_judge = task(["text_is", "exact_match"], [file("a"), {"type": "answer"}],
                  [rule("x"), rule({"expected": "no"})], conj="or")  # fmt: skip
    first = await evaluate(box, to_judge, Ending("yes", False), kept.append)
    evidence = unpack_evidence(kept[0], tmp_path)
    assert await judge_evidence(evidence, tmp_path) == first
    assert first.score == 1


async def test_compat_takes_the_first_of_files_that_are_not_chosen(box: Here) -> None:
    for name, text in (("a", "x"), ("b", "y")):
        (box.machine.home / name).write_text(text)
    to_judge = task("text_is", file("a", "b"), rule("x"), compat=True)
    assert (await judged(box, to_judge)).score == 1
    chosen = task("text_is", file("a", "b", gives=[1]), rule("y"), compat=True)
    assert (await judged(box, chosen)).score == 1


async def test_a_huge_file_is_a_fault(box: Here) -> None:
    with (box.machine.home / "huge").open("wb") as huge:
        huge.truncate(500 * 1024**2)
    assert "larger than" in await fault_of(box, task("text_is", file("huge"), rule("x")))


@pytest.mark.parametrize("dest", ["..", "../../stolen", "a\0b", "/tmp/deskhand-stolen"])
async def test_names_in_a_task_decide_no_path_outside(
    box: Here, mirror: Path, tmp_path: Path, dest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    asset_path(URL.format("gold"), mirror).write_text("gold")
    before = sorted(tmp_path.rglob("*"))
    gold = {"type": "cloud_file", "path": URL.format("gold"), "dest": dest}
    with suppress(EpisodeFault):
        assert (await judged(box, task("text_is", gold, rule("gold")))).score == 1
    box.collector.drop()
    assert sorted(tmp_path.rglob("*")) == before
    assert not Path("/tmp/deskhand-stolen").exists()


async def test_what_a_box_claims_decides_no_path_outside(tmp_path: Path) -> None:
    claim = {"kind": "file", "path": "../../stolen", "bytes": 1, "sha256": HASH}
    lost_task = task("text_is", file("a"), rule("x"))
    assert "leads out" in await fault_of(Liar(tmp_path, {"values": [claim]}), lost_task)
    evil = {"kind": "file", "path": "..", "bytes": 1, "sha256": HASH}
    assert "leads out" in await fault_of(Liar(tmp_path, {"values": [evil]}), lost_task)
    assert list(tmp_path.iterdir()) == []


async def test_a_box_that_says_too_much_or_too_little_is_a_fault(tmp_path: Path) -> None:
    lost_task = task("text_is", file("a"), rule("x"))
    assert "0 values came for 1" in await fault_of(Liar(tmp_path, {"values": []}), lost_task)
    hundred = {"kind": "file", "path": "a", "bytes": 100 * 1024**2, "sha256": HASH}
    many = {"kind": "files", "files": [hundred, hundred, hundred]}
    assert "larger than" in await fault_of(Liar(tmp_path, {"values": [many]}), lost_task)


async def test_files_of_one_name_are_both_there(tmp_path: Path) -> None:
    same = {"kind": "file", "path": "a", "bytes": 1, "sha256": HASH}
    liar = Liar(tmp_path, {"values": [{"kind": "files", "files": [same, same]}]})
    to_judge = task("compare_image_list", file("a", "b"), rule([]))
    kept: list[bytes] = []
    await evaluate(liar, to_judge, Ending(None, False), kept.append)
    assert b"0/1-a" in kept[0]


def test_values_of_a_box_are_data() -> None:
    assert Collected.model_validate({"values": [{"kind": "data", "value": 1}]}).values == (
        Data(value=1),
    )
