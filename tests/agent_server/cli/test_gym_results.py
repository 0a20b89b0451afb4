"""Recorded audits and success rates of the gyms."""

from __future__ import annotations

import io
import os
from pathlib import Path

import orjson
from rich.console import Console

from agent_server.cli.gym_results import PolicyRates, last_audit, last_policy, print_audit
from envs.gyms.server.audit_rows import Row


def test_without_files_nothing_is_known(tmp_path: Path) -> None:
    assert last_audit(tmp_path / "audit.json") == {}
    assert last_policy(tmp_path) == PolicyRates()


def test_an_audit_counts_the_oracle_s_successes(tmp_path: Path) -> None:
    row = {"held": {"oracle": 4, "noop": 5}, "seeds": 5}
    (tmp_path / "audit.json").write_bytes(orjson.dumps({"rows": {"shop/price": row}}))
    assert last_audit(tmp_path / "audit.json") == {"shop/price": "4/5"}


def test_the_newest_run_with_an_evaluated_phase_counts(tmp_path: Path) -> None:
    result = {
        "by_template": {"shop/price": {"success_rate": 0.5}},
        "unseen": {"apps": {"by_template": {"mail/reply": {"success_rate": 0.25}}}},
    }
    reports = {"old": [{"eval": result}], "new": [{"eval": result}], "newest": [{"eval": None}]}
    for age, (name, phases) in enumerate(reports.items()):
        path = tmp_path / name / "report.json"
        path.parent.mkdir()
        path.write_bytes(orjson.dumps({"phases": phases}))
        os.utime(path, (1000 + age, 1000 + age))
    rates = last_policy(tmp_path)
    assert rates == PolicyRates("new", {"shop/price": "50%", "mail/reply": "25%"})


def test_an_audit_s_table_is_readable_in_a_narrow_terminal() -> None:
    rows = [
        Row("shop", "sold_out", 2, 6, {"oracle": 6, "no-op": 6}, [6]),
        Row("people", "late_pay_change_of_a_manager", 4, 6, {"oracle": 5, "no-op": 6}, [17]),
    ]
    text = io.StringIO()
    print_audit(rows, Console(file=text, width=60))
    shown = text.getvalue()
    assert "shop/sold_out" in shown
    assert "12/12" in shown
    assert "oracle 5/6" in shown, "what did not hold is named"
    assert "oracle 11/12, no-op 12/12" in shown
    assert "2 templates; 23 of 24 checks hold (95.8%)" in shown
