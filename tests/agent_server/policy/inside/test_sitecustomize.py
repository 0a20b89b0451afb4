"""The policy server's environment imports what prepares pictures, beside PyTorch's CPU build."""

from __future__ import annotations

import os
import subprocess

import pytest

from agent_server.policy.engine import INSIDE_FOLDER, engine_python

pytestmark = pytest.mark.policy


def test_torchvision_is_imported_beside_pytorch_for_cpus() -> None:
    code = (
        "import torch; from torchvision.transforms import v2; "
        "print(v2.functional.resize(torch.zeros(3, 4, 4), [2, 2]).shape[-1])"
    )
    ran = subprocess.run(
        [str(engine_python()), "-c", code],
        env={**os.environ, "PYTHONPATH": str(INSIDE_FOLDER), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.stdout.strip() == "2", ran.stderr[-2000:]
