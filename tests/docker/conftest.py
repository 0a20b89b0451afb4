"""A Docker Engine and the project's images, made where they are missing.

An engine that these tests started is stopped at the end, and leaves no process; its images stay, so
that the next build finds its layers.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docker
import psutil
import pytest

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "scripts" / "docker_engine.sh"
BUILD_S = 1500


def build(target: str, log: Path) -> str:
    """Builds one of the project's images. Returns its name."""
    file, context = ROOT / "vm_images" / "Dockerfile", ROOT
    options = ["--target", target]
    if target in ("postgres", "redis"):
        file, context, options = file.parent / "services" / f"{target}.Dockerfile", file.parent, []
    elif target == "policy":
        file, context, options = file.parent / "policy" / "Dockerfile", file.parent, []
    name = f"deskhand/{target}"
    with log.open("ab") as output:
        done = subprocess.run(
            ["docker", "build", "-f", file, "-t", name, *options, context],
            stdout=output, stderr=output, timeout=BUILD_S,
        )  # fmt: skip
    assert done.returncode == 0, log.read_text()[-3000:]
    return name


@pytest.fixture(scope="session")
def docker_host() -> Iterator[str]:
    """Address of an engine; DOCKER_HOST while the tests run."""
    folder = Path(os.environ.get("DESKHAND_DOCKER_FOLDER", ROOT / ".docker"))
    running = (folder / "docker.pid").exists()
    before = set(psutil.pids())
    command = [ENGINE, "start", folder]
    address = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=600
    ).stdout.strip()
    docker_host_before = os.environ.get("DOCKER_HOST")
    os.environ["DOCKER_HOST"] = address
    yield address
    if docker_host_before is None:
        del os.environ["DOCKER_HOST"]
    else:
        os.environ["DOCKER_HOST"] = docker_host_before
    if not running:
        subprocess.run([ENGINE, "stop", folder], check=True, timeout=120)
        names = ("dockerd", "containerd", "containerd-shim-runc-v2", "docker-proxy")
        left = [item for item in psutil.process_iter(["name"]) if item.info["name"] in names]
        assert not [item for item in left if item.pid not in before]


@pytest.fixture(scope="session")
def engine(docker_host: str) -> Iterator[Any]:
    """A client of the engine."""
    client = docker.DockerClient(base_url=docker_host, timeout=120)
    yield client
    client.close()


@pytest.fixture(scope="session")
def image_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("images") / "build.log"


@pytest.fixture(scope="session")
def wheels() -> None:
    """What images install, collected once; nothing to do where it was."""
    environment = {**os.environ, "PYTHON": sys.executable}
    command = [ROOT / "vm_images" / "wheels.sh", "app"]
    subprocess.run(command, check=True, env=environment, timeout=600)


@pytest.fixture(scope="session")
def browser_image(engine: Any, wheels: None, image_log: Path) -> str:
    build("guard", image_log)
    return build("browser", image_log)


@pytest.fixture(scope="session")
def desktop_image(engine: Any, wheels: None, image_log: Path) -> str:
    build("guard", image_log)
    return build("desktop", image_log)


@pytest.fixture(scope="session")
def app_image(engine: Any, wheels: None, image_log: Path) -> str:
    return build("app", image_log)


@pytest.fixture(scope="session")
def service_images(engine: Any, image_log: Path) -> dict[str, str]:
    """Settings of docker-compose.yml that name images of Debian's packages."""
    return {
        "DESKHAND_POSTGRES_IMAGE": build("postgres", image_log),
        "DESKHAND_REDIS_IMAGE": build("redis", image_log),
    }


@pytest.fixture
def nothing_left(engine: Any) -> Iterator[None]:
    """Containers, networks and volumes are afterwards what they were before."""

    def present() -> set[str]:
        containers = {item.id for item in engine.containers.list(all=True)}
        networks = {item.id for item in engine.networks.list()}
        return containers | networks | {item.id for item in engine.volumes.list()}

    before = present()
    yield
    assert present() == before
