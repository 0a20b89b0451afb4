"""docker-compose.yml: what it promises on paper, and the whole of it at work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from envs.providers.local import free_port
from tests.docker.images import ROOT
from tests.e2e.runs import EVALUATED, TINY

pytestmark = pytest.mark.docker

BOXES = ("browser", "desktop")
UP_S = 240
TASK_S = 90
TRAIN_S = 900
PROJECT = "deskhand-test"
PARTS = ("api", "worker")
"""With what they depend on, all but the policy server."""


@dataclass(frozen=True)
class Compose:
    """docker-compose on a copy of its file, so that the secrets are the test's own."""

    folder: Path
    environment: dict[str, str]

    def __call__(self, *arguments: str, timeout_s: float = UP_S) -> str:
        done = subprocess.run(
            ["docker-compose", *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
        )
        assert done.returncode == 0, f"{done.stdout[-1500:]}\n{done.stderr[-3000:]}"
        return done.stdout

    def containers(self, service: str) -> list[str]:
        return self("ps", "-q", service).split()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compose")
    shutil.copy(ROOT / "docker-compose.yml", folder)
    (folder / "vm_images").mkdir()
    shutil.copy(ROOT / "vm_images" / "secrets.sh", folder / "vm_images")
    subprocess.run([folder / "vm_images" / "secrets.sh"], check=True, timeout=30)
    return folder


@pytest.fixture(scope="module")
def paper(project: Path) -> dict[str, Any]:
    """The file as docker-compose understands it."""
    read: dict[str, Any] = yaml.safe_load(Compose(project, dict(os.environ))("config"))
    return read


def test_only_the_api_is_published_and_on_loopback(paper: dict[str, Any]) -> None:
    published = {
        name: settings["ports"]
        for name, settings in paper["services"].items()
        if settings.get("ports")
    }
    assert list(published) == ["api"]
    assert all(str(port).startswith("127.0.0.1:") for port in published["api"])


def test_every_service_is_confined(paper: dict[str, Any]) -> None:
    for name, settings in paper["services"].items():
        assert settings["cap_drop"] == ["ALL"], name
        assert settings["security_opt"] == ["no-new-privileges:true"], name
        assert settings["read_only"] is True, name
        assert settings["mem_limit"], name
        assert settings["pids_limit"], name
        assert not settings.get("privileged"), name
        assert not any("docker.sock" in str(volume) for volume in settings.get("volumes", ())), name


def test_boxes_have_networks_without_a_way_out_and_no_volume(paper: dict[str, Any]) -> None:
    for name in BOXES:
        box = paper["services"][name]
        assert all(paper["networks"][network]["internal"] for network in box["networks"]), name
        assert not box.get("volumes"), name


def test_the_judge_has_no_network_no_secret_and_one_volume(paper: dict[str, Any]) -> None:
    judge, worker = paper["services"]["judge"], paper["services"]["worker"]
    assert judge["network_mode"] == "none"
    assert not judge.get("networks")
    assert not judge.get("secrets")
    assert not judge.get("environment")
    assert judge["volumes"] == ["judge:/run/judge:rw"]
    assert "judge:/run/judge:ro" in worker["volumes"]
    assert worker["environment"]["DESKHAND_JUDGE"] == f"unix:{judge['command'][-1]}"


def test_a_desktop_gets_no_secret_but_the_key_that_checks_its_token(paper: dict[str, Any]) -> None:
    (mounted_secret,) = paper["services"]["desktop"]["secrets"]
    assert mounted_secret["source"] == "host_public_key"


def test_the_gpu_s_policy_server_takes_the_place_of_the_other(paper: dict[str, Any]) -> None:
    cpu, gpu = paper["services"]["policy"], paper["services"]["policy-gpu"]
    assert (cpu.get("profiles"), gpu["profiles"]) == (None, ["gpu"])
    assert gpu["networks"]["policies"]["aliases"] == ["policy"]
    (device,) = gpu["deploy"]["resources"]["reservations"]["devices"]
    assert device["capabilities"] == ["gpu"]


def test_only_who_swaps_weights_gets_the_control_key(paper: dict[str, Any]) -> None:
    readers = {
        name
        for name, service in paper["services"].items()
        if any(secret["source"] == "policy_control_key" for secret in service.get("secrets", ()))
    }
    assert readers == {"policy", "policy-gpu", "trainer", "trainer-gpu"}


def test_secrets_are_made_once_and_closed_to_other_users(project: Path) -> None:
    secrets = project / "secrets"
    assert secrets.stat().st_mode & 0o077 == 0
    before = {path.name: path.read_text() for path in secrets.iterdir()}
    assert len({before[name] for name in ("api_key", "gym_token", "host_signing_key")}) == 3
    assert all(len(before[name]) >= 32 for name in ("api_key", "gym_token", "host_signing_key"))
    subprocess.run([project / "vm_images" / "secrets.sh"], check=True, timeout=30)
    assert {path.name: path.read_text() for path in secrets.iterdir()} == before


def test_the_trainer_and_the_policy_server_see_the_same_run(paper: dict[str, Any]) -> None:
    trainer, policy = paper["services"]["trainer"], paper["services"]["policy"]
    assert not trainer.get("profiles"), "it comes with `docker-compose up`"
    folders = {settings["environment"]["DESKHAND_RUN_DIR"] for settings in (trainer, policy)}
    assert folders == {"/runs/compose"}
    assert "runs:/runs:rw" in trainer["volumes"]
    assert "runs:/runs:ro" in policy["volumes"]


@pytest.fixture(scope="module")
def stack(
    project: Path, engine: Any, app_image: str, browser_image: str, desktop_image: str,
    service_images: dict[str, str],
) -> Iterator[Compose]:  # fmt: skip
    """Everything but the policy server, with two browsers. Nothing of it is left afterwards."""
    mine = {"label": f"com.docker.compose.project={PROJECT}"}
    environment = {
        **os.environ,
        **service_images,
        "COMPOSE_PROJECT_NAME": PROJECT,
        "DESKHAND_PORT": str(free_port()),
        "DESKHAND_CONCURRENCY": "4",
    }
    compose = Compose(project, environment)
    # A run that was killed leaves its database, with a password that nobody knows any more.
    compose("down", "--volumes", "--remove-orphans", "--timeout", "10")
    try:
        try:
            compose("up", "-d", "--no-build", "--scale", "browser=2", *PARTS)
        except AssertionError as error:
            raise AssertionError(compose("logs", "--tail", "8")) from error
        yield compose
    finally:
        compose("down", "--volumes", "--remove-orphans", "--timeout", "10")
    assert not engine.containers.list(all=True, filters=mine)
    assert not engine.networks.list(filters=mine)
    assert not engine.volumes.list(filters=mine)


@pytest.fixture(scope="module")
def api(stack: Compose) -> Iterator[httpx.Client]:
    key = (stack.folder / "secrets" / "api_key").read_text()
    url = f"http://127.0.0.1:{stack.environment['DESKHAND_PORT']}"
    with httpx.Client(base_url=url, headers={"authorization": f"Bearer {key}"}, timeout=30) as api:
        wait_for(lambda: answers(api), UP_S, "an answer of the API")
        yield api


def answers(api: httpx.Client) -> bool:
    try:
        return api.get("/v1/health").status_code == 200
    except httpx.TransportError:
        return False


def wait_for(condition: Callable[[], Any], seconds: float, what: str) -> Any:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if value := condition():
            return value
        time.sleep(0.2)
    raise AssertionError(f"no {what} within {seconds:g} s")


def run_task(api: httpx.Client, body: dict[str, Any]) -> dict[str, Any]:
    created = api.post("/v1/tasks", json=body)
    assert created.status_code == 201, created.text
    path = f"/v1/tasks/{created.json()['id']}"

    def end_reason() -> dict[str, Any] | None:
        state: dict[str, Any] = api.get(path).json()
        return None if state["status"] in ("queued", "running") else state

    state: dict[str, Any] = wait_for(end_reason, TASK_S, f"end of {path}")
    return state


def test_the_api_wants_its_key(api: httpx.Client) -> None:
    assert httpx.get(f"{api.base_url}/v1/tasks", timeout=10).status_code == 401


def test_a_browser_task_is_solved_through_the_api(api: httpx.Client) -> None:
    body = {
        "gym": "shop",
        "template": "cheapest",
        "seed": 7,
        "policy": "oracle",
        "screenshots": True,
    }
    done = run_task(api, body)
    assert (done["status"], done["score"]) == ("scored", 1.0), done
    steps = api.get(f"/v1/tasks/{done['id']}/trajectory").json()["steps"]
    picture = api.get(f"/v1/tasks/{done['id']}/screenshots/{steps[0]['screenshot']}")
    assert picture.headers["content-type"].startswith("image/")


def test_every_browser_of_a_scaled_service_gets_work(api: httpx.Client, stack: Compose) -> None:
    boxes = stack.containers("browser")
    assert len(boxes) == 2
    body = {"gym": "shop", "template": "cheapest", "policy": "oracle"}
    tasks = [api.post("/v1/tasks", json={**body, "seed": seed}).json()["id"] for seed in range(8)]

    def all_ended() -> bool:
        states = [api.get(f"/v1/tasks/{task}").json()["status"] for task in tasks]
        return not {"queued", "running"} & set(states)

    wait_for(all_ended, TASK_S, "end of the tasks")
    assert all(api.get(f"/v1/tasks/{task}").json()["score"] == 1.0 for task in tasks)
    assert all(capacity_used(box) for box in boxes)


def capacity_used(container: str) -> int:
    """Sessions that a box holds; a worker keeps those that it opened."""
    source = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8200/v1/health').read().decode())"
    done = subprocess.run(
        ["docker", "exec", container, "python", "-c", source],
        check=True, capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    return int(json.loads(done.stdout)["sessions"])


def test_the_services_of_a_box_s_network_are_the_only_ones_it_reaches(stack: Compose) -> None:
    (desktop,) = stack.containers("desktop")
    browser, *_ = stack.containers("browser")

    def reaches(box: str, host: str, port: int) -> bool:
        source = f"import socket; socket.create_connection(({host!r}, {port}), 3)"
        command = ["docker", "exec", box, "python", "-c", source]
        return subprocess.run(command, capture_output=True, timeout=30).returncode == 0

    assert reaches(browser, "gym", 8100)
    (worker,) = stack.containers("worker")
    assert reaches(worker, "postgres", 5432)
    assert reaches(worker, "redis", 6379)
    for box in (browser, desktop):
        for host, port in (("postgres", 5432), ("redis", 6379), ("api", 8000), ("api", 8001)):
            assert not reaches(box, host, port), (host, port)
            for address in addresses_of(stack, host):
                assert not reaches(box, address, port), (address, port)
    assert not reaches(desktop, address_of(stack, "gym"), 8100)


def test_the_token_of_one_box_opens_no_other(stack: Compose, api: httpx.Client) -> None:
    """Replicas are told the same; a worker signs the address of each."""
    (worker,) = stack.containers("worker")
    first, second = (container_address(box) for box in stack.containers("browser"))
    script = (
        "import sys, pathlib, urllib.request as u, urllib.error as e\n"
        "from envs.host.guard import sign_token\n"
        "key = pathlib.Path('/run/secrets/host_signing_key').read_text()\n"
        "for signed, called in ((sys.argv[1], sys.argv[1]), (sys.argv[1], sys.argv[2])):\n"
        "    token = sign_token(key, f'{signed}:8200')\n"
        "    request = u.Request(f'http://{called}:8200/v1/tools')\n"
        "    request.add_header('Authorization', f'Bearer {token}')\n"
        "    try:\n"
        "        print(u.urlopen(request, timeout=20).status)\n"
        "    except e.HTTPError as error:\n"
        "        print(error.code)\n"
    )
    done = subprocess.run(
        ["docker", "exec", worker, "python", "-c", script, first, second],
        check=True, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.stdout.split() == ["200", "401"]


def address_of(stack: Compose, service: str) -> str:
    return addresses_of(stack, service)[0]


def addresses_of(stack: Compose, service: str) -> list[str]:
    (container, *_) = stack.containers(service)
    return container_addresses(container)


def container_address(container: str) -> str:
    return container_addresses(container)[0]


def container_addresses(container: str) -> list[str]:
    """One in each of its networks."""
    shape = "{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}"
    done = subprocess.run(
        ["docker", "inspect", "--format", shape, container],
        check=True, capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    return done.stdout.split()


@pytest.mark.parametrize(
    ("env", "body"),
    [
        ("browser", {"gym": "shop", "template": "cheapest", "seed": 7}),
        ("desktop", {"env": "desktop"}),
    ],
)
def test_the_api_lends_sessions_of_the_boxes(
    api: httpx.Client, env: str, body: dict[str, Any]
) -> None:
    lent = wait_for(lambda: lend(api, body), TASK_S, "session")
    try:
        assert lent["session"]["env"] == env
        looked = api.post(f"/v1/sessions/{lent['session']['id']}/observe", json={})
        assert looked.status_code == 200, looked.text
    finally:
        api.delete(f"/v1/sessions/{lent['session']['id']}")


def lend(api: httpx.Client, body: dict[str, Any]) -> dict[str, Any] | None:
    """None while tasks have all places."""
    answer = api.post("/v1/sessions", json=body, timeout=TASK_S)
    assert answer.status_code in (201, 503), answer.text
    lent: dict[str, Any] = answer.json()
    return lent if answer.status_code == 201 else None


def test_what_is_stored_survives_new_containers(api: httpx.Client, stack: Compose) -> None:
    body = {"gym": "shop", "template": "cheapest", "seed": 3, "policy": "oracle"}
    done = run_task(api, body)
    stack("rm", "--stop", "--force", "postgres", "redis")
    stack("up", "-d", "--no-build", "--no-recreate", "--scale", "browser=2", *PARTS)
    wait_for(lambda: answers(api), UP_S, "an answer of the API")
    assert api.get(f"/v1/tasks/{done['id']}").json()["score"] == 1.0
    assert run_task(api, {**body, "seed": 4})["score"] == 1.0


def test_a_desktop_task_is_solved_through_the_api(api: httpx.Client) -> None:
    done = run_task(
        api, {"gym": "desktop", "template": "calc_total", "seed": 7, "policy": "oracle"}
    )
    assert (done["status"], done["score"]) == ("scored", 1.0), done


def test_the_policy_server_s_image_waits_for_a_first_version(
    engine: Any, policy_image: str
) -> None:
    container = engine.containers.run(
        policy_image,
        detach=True,
        read_only=True,
        tmpfs={"/tmp": ""},
        environment={"DESKHAND_RUN_DIR": "/runs/x"},
    )
    try:
        wait_for(lambda: b"waiting for one" in container.logs(), 30, "waiting")
        code, output = container.exec_run(["python", "-c", "import vllm; print(vllm.__version__)"])
        assert code == 0, output.decode()[-2000:]
    finally:
        container.remove(force=True)


def test_a_run_is_trained_on_the_services(
    stack: Compose, api: httpx.Client, engine: Any, policy_image: str, trainer_image: str
) -> None:
    stack("up", "-d", "--no-build", "--no-recreate", "--scale", "browser=2", *PARTS, "policy")
    phases = ["schedule=['imitate', 'reinforce']", "reinforce.iterations=1"]
    overrides = [part for override in (*TINY, *phases) for part in ("--set", override)]
    smoke = "/opt/deskhand/configs/smoke.toml"
    start = stack("run", "-d", "trainer", "train", "--services", "--config", smoke, *overrides)
    trainer = engine.containers.get(start.split()[-1])
    try:
        wait_for(lambda: end_reason(trainer), TRAIN_S, "end of the training")
        assert trainer.attrs["State"]["ExitCode"] == 0, trainer.logs().decode()[-3000:]
    finally:
        trainer.remove(force=True)
    (worker,) = stack.containers("worker")
    read = ["docker", "exec", worker, "cat", "/runs/compose/report.json"]
    report = json.loads(subprocess.run(read, check=True, capture_output=True, timeout=30).stdout)
    assert [phase["name"] for phase in report["phases"]] == ["imitate", "reinforce"]
    assert all(phase["eval"]["n"] == EVALUATED for phase in report["phases"])
    assert report["swaps"]["failed_requests"] == 0
    assert versions(api), "the API sees what the trainer published"


def versions(api: httpx.Client) -> list[dict[str, Any]]:
    policy_versions: list[dict[str, Any]] = api.get("/v1/policy/versions").json()
    return policy_versions


def end_reason(container: Any) -> bool:
    container.reload()
    return bool(container.status == "exited")
