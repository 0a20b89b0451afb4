"""What goes into boxes is named once for each kind of box, and the lists agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from envs.providers.inside import INSIDE, inside_paths

ROOT = Path(__file__).parents[3]


def test_each_subtree_exists() -> None:
    assert [path for path in inside_paths() if not path.exists()] == []


def test_the_docker_images_of_boxes_copy_these_subtrees_and_delete_none() -> None:
    dockerfile = (ROOT / "vm_images/Dockerfile").read_text()
    stages = re.split(r"^FROM ", dockerfile, flags=re.MULTILINE)
    (inside,) = [stage for stage in stages if stage.startswith("python AS inside")]
    assert tuple(re.findall(r"^COPY envs/(\S+) ", inside, re.MULTILINE)) == INSIDE
    for box in ("browser", "desktop"):
        (stage,) = [stage for stage in stages if stage.startswith(f"python AS {box}")]
        assert "COPY --from=inside /opt/deskhand/src /opt/deskhand/src" in stage
        assert "--from=code" not in stage
        assert "rm -rf /opt/deskhand" not in stage


def test_the_disk_image_copies_these_subtrees() -> None:
    script = (ROOT / "vm_images/qemu/build.sh").read_text()
    (names,) = re.findall(r"^for name in (__init__\.py .*); do$", script, re.MULTILINE)
    assert tuple(names.split()) == INSIDE


def test_import_contracts_keep_these_subtrees_to_themselves() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (contract,) = [
        contract
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract["name"].startswith("what is in a box")
    ]
    packages = {name.replace("/", ".") for name in INSIDE if not name.endswith(".py")}
    assert set(contract["source_modules"]) == {f"envs.{name}" for name in packages}
