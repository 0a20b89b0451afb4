"""What somebody without a Docker Engine is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.providers.docker import DockerConfig, DockerProvider


async def test_no_engine_is_said_with_its_address_and_a_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"unix://{tmp_path}/nobody.sock"
    monkeypatch.setenv("DOCKER_HOST", address)
    with pytest.raises(EpisodeFault) as fault:
        async with DockerProvider(DockerConfig()):
            pass
    assert fault.value.reason is InvalidReason.HOST_START
    assert fault.value.detail.startswith(f"no Docker Engine answers at {address}")
    assert "docker_engine.sh start" in fault.value.detail
