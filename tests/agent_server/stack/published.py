"""Folders of policy versions without weights, and a swapper that needs no server."""

from __future__ import annotations

from pathlib import Path

from agent_server.policy.manifest import MANIFEST, Manifest, Probe
from agent_server.policy.swap import Swapper, SwapReport


class SwapperThatReports(Swapper):
    """Answers as a server with or without the right weights would: no real one has wrong ones."""

    accepts = True

    async def swap(self, folder: Path) -> SwapReport:
        version = int(folder.name.removeprefix("v"))
        reason = "" if self.accepts else "the probes differ by 2.1 nats a token"
        return SwapReport(version, self.accepts, 40.0, 0.001, 0.002, reason)


def publish(parent: Path, version: int) -> Path:
    """A folder with a manifest."""
    folder = parent / f"v{version:06d}"
    folder.mkdir(parents=True)
    probe = Probe(token_ids=(1, 2), logprobs=(-0.5,))
    manifest = Manifest(version=version, sha256="0" * 64, probes=(probe,), created_at="2026-01-01")
    (folder / MANIFEST).write_text(manifest.model_dump_json())
    return folder
