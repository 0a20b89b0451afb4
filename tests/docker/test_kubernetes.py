"""The Kubernetes manifest is what Kubernetes reads, and confines as docker-compose.yml does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tests.docker.images import ROOT

MANIFEST = ROOT / "vm_images" / "kubernetes" / "deskhand.yaml"
VERSION = "1.31"
WORKLOADS = ("Deployment", "StatefulSet", "Job")
KUBECTL = shutil.which("kubectl", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
"""`scripts/setup.sh test` puts one beside the interpreter."""


def items() -> list[dict[str, Any]]:
    objects: list[dict[str, Any]] = yaml.safe_load(MANIFEST.read_text())["items"]
    return objects


def named(item: dict[str, Any]) -> str:
    return f"{item['kind']} {item['metadata']['name']}"


def pods() -> list[Any]:
    chosen = [item for item in items() if item["kind"] in WORKLOADS]
    return [pytest.param(item["spec"]["template"], id=named(item)) for item in chosen]


@pytest.mark.parametrize("item", [pytest.param(item, id=named(item)) for item in items()])
def test_each_object_fits_its_schema(item: dict[str, Any]) -> None:
    kubernetes_validate.validate(item, VERSION, strict=True)


def test_an_object_that_does_not_fit_is_refused() -> None:
    service = next(item for item in items() if item["kind"] == "Service")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**service, "spec": {"prots": []}}, VERSION, strict=True)


@pytest.mark.parametrize("pod", pods())
def test_each_pod_is_confined(pod: dict[str, Any]) -> None:
    spec = pod["spec"]
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["automountServiceAccountToken"] is False
    for container in spec["containers"]:
        own = container["securityContext"]
        assert own["allowPrivilegeEscalation"] is False
        assert own["readOnlyRootFilesystem"] is True
        assert own["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]


@pytest.mark.parametrize("pod", pods())
def test_each_mount_has_its_volume(pod: dict[str, Any]) -> None:
    volumes = {volume_entry["name"] for volume_entry in pod["spec"].get("volumes", ())} | {"data"}
    for container in pod["spec"]["containers"]:
        assert {
            volume_entry["name"] for volume_entry in container.get("volumeMounts", ())
        } <= volumes


@pytest.mark.parametrize("pod", pods())
def test_each_pod_sees_the_secrets_that_it_names_and_no_others(pod: dict[str, Any]) -> None:
    named_files = set(re.findall(r"/run/secrets/deskhand/(\w+)", json.dumps(pod)))
    mounted: set[str] = set()
    for volume in pod["spec"].get("volumes", ()):
        if "secret" in volume:
            mounted |= {entry["key"] for entry in volume["secret"]["items"]}
    assert mounted == named_files


def test_a_worker_s_judge_has_its_socket_and_no_secret() -> None:
    (worker,) = [item for item in items() if named(item) == "Deployment worker"]
    own, judge = worker["spec"]["template"]["spec"]["containers"]
    assert judge["name"] == "judge"
    assert not judge.get("env")
    assert not judge.get("envFrom")
    assert {mount["name"] for mount in judge["volumeMounts"]} == {"judge", "judged"}
    (shared,) = [mount for mount in own["volumeMounts"] if mount["name"] == "judge"]
    assert shared["readOnly"] is True
    (setting,) = [entry for entry in own["env"] if entry["name"] == "DESKHAND_JUDGE"]
    assert setting["value"].removeprefix("unix:") == judge["args"][-1]
    # Containers of a pod share its network: the judge takes its sockets away itself.
    assert "envs.osworld.outside.judge_server" in judge["args"]


def test_a_desktop_may_call_nobody() -> None:
    rules = [item["spec"] for item in items() if item["kind"] == "NetworkPolicy"]
    default = {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert default in rules, "what no rule names is forbidden"
    for rule in rules:
        if rule.get("egress"):
            assert not selects(rule["podSelector"], {"app": "desktop"})


def selects(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    for name, value in selector.get("matchLabels", {}).items():
        if labels.get(name) != value:
            return False
    for expression in selector.get("matchExpressions", ()):
        inside = labels.get(expression["key"]) in expression["values"]
        if inside != (expression["operator"] == "In"):
            return False
    return True


@pytest.mark.skipif(KUBECTL is None, reason="no kubectl, which has kustomize in it")
def test_the_kustomization_gives_every_image_of_ours_its_release(tmp_path: Path) -> None:
    base = os.path.relpath(MANIFEST.parent, tmp_path)
    image = {"name": "deskhand/app", "newName": "registry.example/app", "newTag": "1.2.3"}
    overlay = {"namespace": "agents", "resources": [base], "images": [image]}
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(overlay))
    built = subprocess.run(
        [str(KUBECTL), "kustomize", str(tmp_path)], check=True, capture_output=True, timeout=60
    )
    objects = list(yaml.safe_load_all(built.stdout))
    assert len(objects) == len(items())
    for item in objects:
        kubernetes_validate.validate(item, VERSION, strict=True)
        assert item["metadata"]["namespace"] == "agents"
    images = set(re.findall(r"image: (\S+)", built.stdout.decode()))
    assert "registry.example/app:1.2.3" in images
    assert all(":" in name for name in images), "each names a release"
