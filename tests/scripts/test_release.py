"""The places that name the released version agree."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def test_changelog_citation_and_fallback_name_the_same_release() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    fallback = settings["tool"]["setuptools_scm"]["fallback_version"]
    headings = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert headings[0] == fallback == citation["version"]


def test_set_up_names_its_modes_when_given_another(tmp_path: Path) -> None:
    script = tmp_path / "scripts" / "setup.sh"
    script.parent.mkdir()
    script.write_text((ROOT / "scripts" / "setup.sh").read_text())
    (tmp_path / "vm_images" / "desktop").mkdir(parents=True)
    (tmp_path / "vm_images" / "desktop" / "packages.txt").write_text("")
    done = subprocess.run(
        ["bash", str(script), "nonsense"], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 1
    assert "qemu, ci, osworld, applications, ecosystem, fast or venv, not nonsense" in done.stderr
