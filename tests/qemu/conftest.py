"""The small image, built when one of its inputs has changed and kept in DESKHAND_CACHE (default
~/.cache/deskhand): about two minutes for a new one, half a minute when only `envs` has changed.
DESKHAND_QEMU_IMAGE names an image to test instead."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QEMU = ROOT / "vm_images/qemu"
PACKAGES = QEMU / "packages-small.txt"
BUILD_TIMEOUT_S = 900
TREE_INPUTS = (
    ROOT / "pyproject.toml",
    ROOT / "requirements/constraints.txt",
    ROOT / "vm_images/wheels.sh",
    PACKAGES,
    QEMU / "rootfs.sh",
    QEMU / "init",
)


@pytest.fixture(scope="session")
def image() -> Path:
    """Path of a qcow2; its kernel and initrd lie beside it."""
    image = os.environ.get("DESKHAND_QEMU_IMAGE")
    if image:
        return Path(image)
    cache = Path(os.environ.get("DESKHAND_CACHE", "~/.cache/deskhand")).expanduser() / "qemu"
    certificates = sorted((ROOT / "vm_images/ca").glob("*.crt"))
    code = sorted(path for path in (ROOT / "envs").rglob("*") if "__pycache__" not in path.parts)
    tree = fingerprint([*TREE_INPUTS, *certificates])
    whole = fingerprint([*TREE_INPUTS, *certificates, QEMU / "build.sh", *code])
    built = cache / f"image-{whole}" / "small.qcow2"
    if built.exists():
        return built
    if os.geteuid() != 0:
        pytest.skip("only root can build an image")
    for old in cache.glob("*"):
        if old.is_dir() and old.name != f"tree-{tree}":
            shutil.rmtree(old)
    command = [QEMU / "build.sh", "--packages", PACKAGES, "--tree", cache / f"tree-{tree}", built]
    subprocess.run(command, check=True, timeout=BUILD_TIMEOUT_S)
    return built


def fingerprint(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        if path.is_file():
            digest.update(f"{path.relative_to(ROOT)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
