"""Where applications of others are on this machine.

`scripts/setup.sh applications` puts them below the folder of DESKHAND_APPLICATIONS: the files of
Debian's and PyPI's packages, unpacked. Nothing of them is started or configured on this machine.
"""

from __future__ import annotations

from pathlib import Path

from envs.io.settings import EnvSettings

FILES = {"mediawiki": "usr/share/mediawiki", "trac": "packages", "wordpress": "wordpress"}
"""Where an application's files are in what was unpacked; its names are APPLICATIONS."""


def find_application(name: str) -> Path | None:
    """The folder of an application's files; None where it is not installed."""
    folder = EnvSettings.from_env().applications.expanduser() / name / FILES[name]
    return folder if folder.is_dir() else None
