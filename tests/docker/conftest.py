"""A Docker Engine and the project's images, made where they are missing.

An engine that these tests started is stopped at the end, and leaves no process; its images stay, so
that the next build finds its layers.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docker
import psutil
import pytest

from tests.docker.images import ROOT, Images

ENGINE = ROOT / "scripts" / "docker_engine.sh"


FILES = (
    "test_provider",
    "test_machine",
    "test_escape",
    "test_judge",
    "test_escape_attempts",
    "test_compose",
)
"""By the image that they wait for: what needs none of them comes first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests run while later images are built."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    is_of_here = item.path.parent == Path(__file__).parent
    return FILES.index(item.path.stem) if is_of_here and item.path.stem in FILES else -1


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
def images(
    engine: Any, docker_host: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Images]:
    building = Images(docker_host, tmp_path_factory.mktemp("images"))
    yield building
    building.close()


@pytest.fixture(scope="session")
def browser_image(images: Images) -> str:
    images.get("guard")
    return images.get("browser")


@pytest.fixture(scope="session")
def desktop_image(images: Images) -> str:
    images.get("guard")
    return images.get("desktop")


@pytest.fixture(scope="session")
def app_image(images: Images) -> str:
    return images.get("app")


@pytest.fixture(scope="session")
def policy_image(images: Images) -> str:
    return images.get("policy")


@pytest.fixture(scope="session")
def trainer_image(images: Images) -> str:
    return images.get("trainer")


@pytest.fixture(scope="session")
def service_images(images: Images) -> dict[str, str]:
    """Settings of docker-compose.yml that name images of Debian's packages."""
    return {
        "DESKHAND_POSTGRES_IMAGE": images.get("postgres"),
        "DESKHAND_REDIS_IMAGE": images.get("redis"),
    }


@pytest.fixture
def nothing_left(engine: Any, service_images: dict[str, str]) -> Iterator[None]:
    """Containers, networks and volumes are afterwards what they were before. Images that are built
    meanwhile have containers of nameless images; those with volumes are built by then."""

    def present() -> set[str]:
        containers = {
            item["Id"]
            for item in engine.api.containers(all=True)
            if item["Image"].startswith("deskhand/")
        }
        networks = {item.id for item in engine.networks.list()}
        return containers | networks | {item.id for item in engine.volumes.list()}

    before = present()
    yield
    assert present() == before
