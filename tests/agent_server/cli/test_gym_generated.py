"""Generated gyms on the command line."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
import typer
from rich.console import Console

from agent_server.cli.gym_generated import (
    describe_sets,
    find_generated,
    list_seeds,
    write_apps,
    write_summary,
)
from envs.gyms.generated.catalogue import list_names
from envs.gyms.server.audit import Row


def test_a_folder_of_apps_is_written(tmp_path: Path) -> None:
    console = Console(record=True, width=200)
    write_apps(tmp_path, 2, 1000, "legacy", console)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gen-1000", "gen-1001"]
    assert '"family": "legacy"' in (tmp_path / "gen-1001" / "schema.json").read_text()
    assert "2 apps, 26 task programs" in console.export_text()


def test_an_unknown_family_is_refused(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match="no family 'modern'; there are: classic"):
        write_apps(tmp_path, 1, 1000, "modern", Console())


def test_an_audit_plays_an_app_on_seeds_of_its_own_split() -> None:
    train, test = list_names("train")[0], list_names("family")[0]
    assert list_seeds(train, 2) == [0, 1]
    assert list_seeds(test, 1) == [10**9]
    assert list_seeds("shop", 1) == [0, 2 * 10**9, 10**9]


def test_a_summary_counts_by_set_and_family(tmp_path: Path) -> None:
    rows = [
        Row("gen-0000", "a", 1, 2, {"oracle": 2, "same": 2}),
        Row("gen-0003", "b", 1, 2, {"oracle": 1, "same": 2}, failures=["oracle gen-0003/b@1: no"]),
    ]
    path = tmp_path / "deep" / "audit.json"
    write_summary(path, rows, 1.26, 0.0)
    data = orjson.loads(path.read_bytes())
    assert (data["apps"], data["programs"], data["minutes"]) == (2, 2, 1.3)
    assert (data["held"], data["checks"]) == (7, 8)
    assert data["groups"]["train/classic"]["held oracle"] == 3
    assert data["failures"] == ["oracle gen-0003/b@1: no"]


def test_sets_are_chosen_by_name() -> None:
    assert [gym.name for gym in find_generated("gen-test:2")] == list(list_names("test")[:2])
    assert [gym.name for gym in find_generated("gen-0005")] == ["gen-0005"]
    with pytest.raises(typer.BadParameter, match="no generated gym 'shop'"):
        find_generated("shop")
    assert "gen-train (160)" in describe_sets()
