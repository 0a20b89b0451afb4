"""The contract test: its configuration, its figures, and a short run on the real API."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from rich.console import Console

from benchmarks import contract
from benchmarks.contract import make_config, make_figures


def report(**fields: Any) -> dict[str, Any]:
    calm = {"test_cases": {"generated": 40}, "operations": {"tested": 22}}
    return calm | {"failures": [], "errors": []} | fields


def test_the_configuration_mixes_known_ids_with_others() -> None:
    config = tomllib.loads(make_config({"task_id": ["e1", "e2"], "name": ["000.jpeg"]}, "secret"))
    assert config["auth"]["openapi"]["HTTPBearer"] == {"bearer": "secret"}
    assert config["dictionaries"]["task_id"]["values"] == ["e1", "e2"]
    assert config["parameters"]["path.task_id"]["dictionary"] == "task_id"
    assert "422" in config["checks"]["positive_data_acceptance"]["expected-statuses"]


def test_failures_are_counted_by_what_they_are() -> None:
    server = {"code": "server_error", "count": 2}
    schema = {"code": "json_schema", "count": 3}
    figures = make_figures([report(), report(failures=[server, schema], errors=[{"count": 1}])])
    assert figures["contract.cases"]["p50"] == 80
    assert figures["contract.server_errors"]["p50"] == 2
    assert figures["contract.contract_breaks"]["p50"] == 4


@pytest.mark.services
@pytest.mark.timeout(1200)
async def test_every_route_keeps_its_contract_on_postgres(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("schemathesis")
    monkeypatch.setattr(contract, "EXAMPLES", 5)
    reports = await contract.check(1, 1, Console(quiet=True))
    figures = make_figures(reports)
    assert figures["contract.operations"]["p50"] == 60
    assert figures["contract.server_errors"]["p50"] == 0, reports
    assert figures["contract.contract_breaks"]["p50"] == 0, reports
