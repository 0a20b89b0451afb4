"""Versions of an untrained policy for rounds with a real policy server: good ones that take turns,
and ones that must be refused.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent_server.policy.manifest import MANIFEST, WEIGHTS


@dataclass(frozen=True, slots=True)
class Versions:
    """Folders. `mismatched`: its probes are of other weights; `damaged`: its file is cut."""

    good: tuple[Path, Path]
    mismatched: Path
    damaged: Path

    @property
    def bad(self) -> tuple[Path, Path]:
        """Those that must be refused."""
        return self.mismatched, self.damaged


def make_versions(folder: Path, versions: Sequence[Path]) -> Versions:
    """Two published versions, and bad copies of the second below `folder`."""
    mismatched, damaged = folder / "mismatched", folder / "damaged"
    shutil.copytree(versions[1], mismatched)
    shutil.copytree(versions[1], damaged)
    manifest = json.loads((mismatched / MANIFEST).read_bytes())
    manifest["version"] = 90
    for probe in manifest["probes"]:
        probe["logprobs"] = [logprob - 1.0 for logprob in probe["logprobs"]]
    (mismatched / MANIFEST).write_text(json.dumps(manifest))
    weights = damaged / WEIGHTS
    with weights.open("r+b") as file:
        file.truncate(weights.stat().st_size // 2)
    return Versions((versions[0], versions[1]), mismatched, damaged)
