"""The page shows every phase and replay, and escapes all that comes from pages and policies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.trainer.tiny_run import make_step
from trainer.report_html import render

RESULT: dict[str, Any] = {
    "success_rate": 0.25,
    "ci95": [0.1, 0.5],
    "n": 8,
    "score_mean": 0.3,
    "by_template": {"shop/price": {"success_rate": 0.25, "n": 8}},
}
UNSEEN = {"app": RESULT | {"by_template": {"desk/close": {"success_rate": 0.0, "n": 8}}}}


def make_phase(name: str, **changes: Any) -> dict[str, Any]:
    values = {
        "name": name,
        "eval": RESULT,
        "entropy_mean": 0.05,
        "policy_version": 1,
        "episodes": 12,
        "env_steps": 40,
        "wall_s": 60.0,
        "eval_s": 30.0,
    }
    return values | changes


def make_report(*phases: dict[str, Any]) -> dict[str, Any]:
    return {
        "run_id": "<run>",
        "preset": "smoke",
        "seed": 0,
        "commit": "abc",
        "device": "2 x CPU",
        "split": "No seed is in both.",
        "wall_s": 90.0,
        "phases": list(phases),
        "throughput": {
            "env_steps_per_s": None,
            "idle": {"learner": 0.5, "policy": 0.25, "environments": None},
        },
        "swaps": {"count": 1, "failed_requests": 0, "pause_ms": {"p50": 5.0}},
        "mismatch": {"abs_logprob_mean": None},
        "staleness": {"max": 1},
        "episodes": {"scored": 3, "truncated": 1, "cancelled": 0, "invalid": {"timeout": 2}},
    }


def test_phases_and_their_unseen_sets_have_a_row_each(tmp_path: Path) -> None:
    phase = make_phase("imitate", eval=RESULT | {"unseen": UNSEEN})
    page = render(make_report(phase, make_phase("pulse", eval=None)), [], tmp_path)
    assert "<td>imitate<td><b>25.0%</b><td>10.0% to 50.0%<td>8<td>0.300<td>0.0500" in page
    assert "&emsp;unseen: app<td><b>25.0%</b>" in page
    assert "<td>pulse<td><b>-</b><td>not measured" in page
    assert "<td>unseen app: desk/close<td>0%" in page
    assert "<td>shop/price<td>25%" in page
    assert "not measured" in page
    assert "No episode recorded pictures." in page


def test_a_template_that_a_phase_did_not_try_has_no_rate_there(tmp_path: Path) -> None:
    phases = make_phase("imitate"), make_phase("pulse", eval=RESULT | {"unseen": UNSEEN})
    page = render(make_report(*phases), [], tmp_path)
    assert "<td>unseen app: desk/close<td>-<td>0%" in page
    assert "<td>shop/price<td>25%<td>25%" in page


def test_an_evaluation_that_repeats_tasks_says_how_many_there_are(tmp_path: Path) -> None:
    page = render(make_report(make_phase("imitate", eval=RESULT | {"tasks": 3})), [], tmp_path)
    assert "<td>8 (3 tasks)" in page


def test_what_an_episode_contains_is_shown_as_text(tmp_path: Path) -> None:
    folder = tmp_path / "episodes/e1"
    folder.mkdir(parents=True)
    (folder / "000.jpeg").write_bytes(b"picture")
    step = make_step("<script>alert(1)</script>", "page: <b>bold</b>")
    step = step.model_copy(update={"screenshot": "000.jpeg"})
    (folder / "steps.jsonl").write_text(step.model_dump_json() + "\n")
    summary = {"phase": "imitate/eval", "task": {"instruction": "buy <it>"}, "success": True}
    (folder / "summary.json").write_text(json.dumps(summary))
    page = render(make_report(make_phase("imitate")), [], tmp_path)
    assert "<title>Deskhand run &lt;run&gt;</title>" in page
    assert "imitate/eval: buy &lt;it&gt;" in page
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "data:image/jpeg;base64,cGljdHVyZQ==" in page


def test_a_run_without_a_phase_has_a_page_too(tmp_path: Path) -> None:
    assert "<h2>Phases</h2>" in render(make_report(), [], tmp_path)
