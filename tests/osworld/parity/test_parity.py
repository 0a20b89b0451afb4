"""OSWorld's metrics as published against ours, on files made here, right ones and wrong ones.

With --compat no score may be another; without, only where a case names the defect.
"""

from __future__ import annotations

import importlib
import json
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from envs.osworld.outside.metric_modules import Metric, load_compat_metric, load_metric
from tests.osworld.parity.case import ABSENT, Case
from tests.osworld.parity.upstream import failed

pytestmark = pytest.mark.osworld_parity
FOLDER = Path(__file__).parent
MODULES = sorted(path.stem for path in FOLDER.glob("cases_*.py"))
UPSTREAM = Path(sys.prefix).with_name(".venv-osworld") / "bin" / "python"
"""Beside the environment of this interpreter (`scripts/setup.sh osworld`)."""
TOLERANCE = 1e-6
RUN_S = 280


@dataclass(frozen=True, slots=True)
class Compared:
    case: Case
    upstream: Mapping[str, Any]
    compat: Mapping[str, Any]
    ours: Mapping[str, Any]

    @property
    def agrees(self) -> bool:
        return _same(self.ours, self.upstream)

    def complaint(self) -> str:
        """Empty when all is as it should be."""
        case = self.case
        if case.differs and self.agrees:
            return self._told(f"is said to differ ({case.differs}) and does not")
        if not case.differs and not self.agrees:
            return self._told("differs, and no defect is named")
        if (
            load_compat_metric(case.metric) is None
            and "error" in self.upstream
            and self.ours == {"score": 0.0}
        ):
            return ""
        if not _same(self.compat, self.upstream):
            return self._told("differs in compat mode")
        return ""

    def _told(self, what: str) -> str:
        scores = (
            f"upstream {dict(self.upstream)}, compat {dict(self.compat)}, ours {dict(self.ours)}"
        )
        return f"{self.case.metric}, {self.case.name}: {what}: {scores}"


@pytest.mark.parametrize("module", MODULES)
def test_scores_agree_but_for_named_defects(
    module: str, tmp_path: Path, tally: dict[str, Counter[str]]
) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    cases = list(importlib.import_module(f"tests.osworld.parity.{module}").cases(folder))
    compared = _compared(cases, tmp_path)
    for comparison in compared:
        kind = (
            "agree" if comparison.agrees else "differ" if comparison.case.differs else "unexplained"
        )
        tally.setdefault(comparison.case.metric, Counter())[kind] += 1
    assert compared
    assert [complaint for comparison in compared if (complaint := comparison.complaint())] == []


def _compared(cases: list[Case], scratch: Path) -> list[Compared]:
    """Ours first: upstream's metrics may write beside the files."""
    ours = [_scored(load_metric(case.metric), case) for case in cases]
    compat = [
        own if (metric := load_compat_metric(case.metric)) is None else _scored(metric, case)
        for case, own in zip(cases, ours, strict=True)
    ]
    upstream = _upstream(cases, scratch)
    return [Compared(*parts) for parts in zip(cases, upstream, compat, ours, strict=True)]


def _scored(metric: Metric, case: Case) -> dict[str, Any]:
    try:
        return {"score": float(metric(*_arguments(case), **case.options))}
    except Exception as error:
        return failed(error)


def _upstream(cases: list[Case], scratch: Path) -> list[dict[str, Any]]:
    cases_file, answered = scratch / "cases.json", scratch / "scores.json"
    calls = [
        {"module": case.module, "metric": case.metric, "arguments": _arguments(case),
         "options": case.options}
        for case in cases
    ]  # fmt: skip
    cases_file.write_text(json.dumps(calls, default=str))
    script = [str(UPSTREAM), str(FOLDER / "upstream.py"), str(cases_file), str(answered)]
    ran = subprocess.run(script, capture_output=True, text=True, timeout=RUN_S, cwd=scratch)
    assert ran.returncode == 0, ran.stderr
    scores: list[dict[str, Any]] = json.loads(answered.read_text())
    return scores


def _arguments(case: Case) -> list[Any]:
    return [case.result] if case.expected is ABSENT else [case.result, case.expected]


def _same(first: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Errors are of the same kind when the class of one is a class of the other."""
    if "error" in first and "error" in other:
        return first["error"] in other["kinds"] or other["error"] in first["kinds"]
    if "error" in first or "error" in other:
        return False
    both_nan = math.isnan(first["score"]) and math.isnan(other["score"])
    return both_nan or abs(first["score"] - other["score"]) <= TOLERANCE
