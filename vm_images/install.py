"""Installs the project's requirements into the environment of an image.

    python install.py [--torch cpu|cuda] GROUP...     GROUP: of pyproject.toml's optional ones

Guarantees: the versions of constraints.txt; no package index is asked where /wheels holds wheels,
except for cuda, whose torch is the one that the index publishes.
"""

import argparse
import subprocess
import sys
import tomllib
from pathlib import Path

WHEELS = Path("/wheels")


def requirements(groups: list[str]) -> list[str]:
    settings = tomllib.loads(Path("pyproject.toml").read_text())
    project = settings["project"]
    extras = [line for group in groups for line in project["optional-dependencies"][group]]
    return [*project["dependencies"], *extras, *settings["build-system"]["requires"]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--torch", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("groups", nargs="*")
    options = parser.parse_args()
    source = []
    if options.torch == "cpu":
        source += ["--find-links", str(WHEELS)]
        if any(WHEELS.glob("*.whl")):
            source.append("--no-index")
    command = [sys.executable, "-m", "pip", "install", "--no-cache-dir", "--no-compile"]
    command += ["--disable-pip-version-check", "--quiet", "--constraint", "constraints.txt"]
    subprocess.run([*command, *source, *requirements(options.groups)], check=True)


if __name__ == "__main__":
    main()
