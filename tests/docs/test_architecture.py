"""docs/architecture.md names files that exist, and the way of an episode is as short as it says."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/architecture.md").read_text()
PACKAGES = ("envs", "tasksets", "agent_server", "trainer", "benchmarks")
MOST_FILES = 45


def section(title: str) -> str:
    """The text below a heading."""
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def way_of_an_episode() -> list[str]:
    """The file of each item of the numbered list."""
    items = re.findall(r"^(\d+)\. `([^`]+)` ", section("The way of an episode"), re.MULTILINE)
    assert [int(number) for number, _ in items] == list(range(1, len(items) + 1))
    return [file for _, file in items]


def test_every_path_that_is_named_exists() -> None:
    top = "|".join((*PACKAGES, "scripts"))
    paths = re.findall(rf"`((?:{top})/[\w./]*)`", TEXT)
    assert len(paths) > 100
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_file_that_is_named_has_its_path() -> None:
    bare = set(re.findall(r"`([\w.]+\.(?:py|js))`", TEXT)) - {"pyproject.toml"}
    assert bare == set()


def test_every_module_that_is_run_exists() -> None:
    modules = re.findall(rf"python -m ((?:{'|'.join(PACKAGES)})[\w.]*)", TEXT)
    assert modules
    for module in modules:
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


def test_every_folder_of_the_product_is_in_the_table() -> None:
    table = section("Packages")
    folders = {
        str(file.parent.relative_to(ROOT))
        for package in ("agent_server", "envs", "tasksets")
        for file in (ROOT / package).glob("*/__init__.py")
    }
    missing = [folder for folder in folders if f"`{folder}/" not in table]
    assert missing == []


def test_an_episode_passes_each_file_once_and_few_files_in_all() -> None:
    files = way_of_an_episode()
    assert len(files) == len(set(files))
    assert len(files) <= MOST_FILES
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_what_is_on_the_way_is_not_also_named_as_left_out() -> None:
    text = section("The way of an episode").partition("\n1. ")[0]
    left_out = set(re.findall(r"`([^`]+\.py)`", text))
    assert left_out & set(way_of_an_episode()) == set()
