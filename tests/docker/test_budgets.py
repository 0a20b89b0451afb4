"""Memory in docker-compose.yml and the Kubernetes manifest: uses add up to the limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from envs.host.__main__ import PROGRAM_SHARE
from envs.osworld.outside.judge import MEMORY_SHARE
from envs.osworld.outside.judge_wire import MAX_FILES
from envs.providers.boxes import FILE_SHARE, DockerConfig
from tests.docker.images import ROOT

MB = 1024 * 1024
UNITS = {"k": 1024, "m": MB, "g": 1024 * MB}
SERVICE_MB = {"redis": 64, "worker": 512, "policy": 2048, "policy-gpu": 2048, "judge": 128}
"""What the program itself takes at least, beside its files and what its own settings allow; of
other services DEFAULT_MB."""
DEFAULT_MB = 192
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
MANIFEST = ROOT / "vm_images" / "kubernetes" / "deskhand.yaml"


def in_bytes(text: str) -> int:
    """As docker-compose and Kubernetes write sizes: 512m, 3g, 160mb, 640Mi, 3Gi."""
    number, unit = re.fullmatch(r"(\d+)([kmg])[ib]*", text.lower()).groups()  # type: ignore[union-attr]
    return int(number) * UNITS[unit]


def files_in_memory(service: dict[str, Any]) -> int:
    sizes = [re.search(r"size=(\w+)", mount) for mount in service.get("tmpfs", ())]
    assert all(sizes), "each folder in memory has a size"
    return sum(in_bytes(size[1]) for size in sizes if size) + in_bytes(
        service.get("shm_size", "64m")
    )


def settings_allow(name: str, service: dict[str, Any]) -> int:
    """Memory that the service's own settings let it use."""
    words = [str(word) for word in service.get("command", ())]
    allowed = 0
    if "--maxmemory" in words:
        allowed += in_bytes(words[words.index("--maxmemory") + 1])
    if "VLLM_CPU_KVCACHE_SPACE" in service.get("environment", {}):
        allowed += int(service["environment"]["VLLM_CPU_KVCACHE_SPACE"]) * UNITS["g"]
    limit = in_bytes(service["mem_limit"])
    shares = {"desktop": PROGRAM_SHARE, "judge": MEMORY_SHARE}
    return allowed + int(limit * shares.get(name, 0))


@pytest.mark.parametrize("name", SERVICES)
def test_what_a_service_may_use_fits_its_limit(name: str) -> None:
    service = SERVICES[name]
    own = SERVICE_MB.get(name, DEFAULT_MB) * MB
    if name in ("desktop", "judge"):
        own = 0  # the share leaves room for it
    used = files_in_memory(service) + settings_allow(name, service) + own
    assert used <= in_bytes(service["mem_limit"]), f"{used / MB:.0f} MB"


def test_all_limits_together_are_what_the_file_says() -> None:
    limits = [
        in_bytes(settings["mem_limit"])
        for settings in SERVICES.values()
        if not settings.get("profiles")
    ]
    (stated,) = re.findall(r"add up to\n# (\d+) GB", (ROOT / "docker-compose.yml").read_text())
    assert sum(limits) <= int(stated) * UNITS["g"]
    assert sum(limits) > (int(stated) - 1) * UNITS["g"]


def test_a_judge_has_room_for_the_files_of_a_call() -> None:
    for mount in (*SERVICES["judge"]["tmpfs"], *SERVICES["worker"]["tmpfs"]):
        assert in_bytes(re.search(r"size=(\w+)", mount)[1]) > MAX_FILES  # type: ignore[index]


def pods() -> Iterator[Any]:
    for item in yaml.safe_load(MANIFEST.read_text())["items"]:
        template = item["spec"].get("template")
        if template:
            yield pytest.param(template["spec"], id=item["metadata"]["name"])


@pytest.mark.parametrize("pod", list(pods()))
def test_what_a_pod_may_use_fits_its_limits(pod: dict[str, Any]) -> None:
    sizes = {
        volume["name"]: in_bytes(volume["emptyDir"]["sizeLimit"])
        for volume in pod.get("volumes", ())
        if volume.get("emptyDir", {}).get("medium") == "Memory"
    }
    for container in pod["containers"]:
        resources = container["resources"]
        limit = in_bytes(resources["limits"]["memory"])
        assert in_bytes(resources["requests"]["memory"]) <= limit
        mounted = {mount["name"] for mount in container.get("volumeMounts", ())}
        files = sum(sizes.get(name, 0) for name in mounted)
        shares = {"desktop": PROGRAM_SHARE, "judge": MEMORY_SHARE, "browser": 0.5}
        assert files <= limit * (1 - shares.get(container["name"], 0.5)), container["name"]


def test_kubernetes_and_compose_give_a_service_the_same() -> None:
    """What differs is what runs on a GPU there, and the services that are no image of ours."""
    for item in yaml.safe_load(MANIFEST.read_text())["items"]:
        for container in item["spec"].get("template", {}).get("spec", {}).get("containers", ()):
            name = container["name"]
            service = SERVICES[f"{name}-gpu" if f"{name}-gpu" in SERVICES else name]
            limit = container["resources"]["limits"]["memory"]
            assert in_bytes(limit) == in_bytes(service["mem_limit"]), name


def test_a_box_of_docker_has_room_for_its_files() -> None:
    assert DockerConfig()
    assert FILE_SHARE + PROGRAM_SHARE <= 1
    with pytest.raises(ValidationError, match="files in memory may take"):
        DockerConfig(memory_mb=1024)


def test_policy_server_workers_and_trainers_know_one_longest_prompt() -> None:
    """The one name for it, with one default."""
    name = "DESKHAND_POLICY_MAX_MODEL_LEN"
    readers = ("worker", "api", "trainer", "trainer-gpu", "policy", "policy-gpu")
    values = {SERVICES[reader]["environment"][name] for reader in readers}
    assert values == {f"${{{name}:-1024}}"}
    text = (ROOT / "docker-compose.yml").read_text() + MANIFEST.read_text()
    assert not re.search(r"MODEL_LENGTH|--max-model-len", text)
    assert (
        f'--max-model-len "${{{name}:-1024}}"' in (ROOT / "vm_images/policy/start.sh").read_text()
    )
    for container in ("worker", "policy", "trainer"):
        (pod,) = [pod.values[0] for pod in pods() if pod.id == container]
        variables = {each["name"]: each.get("value") for each in pod["containers"][0]["env"]}
        assert variables[name] == "1024"
