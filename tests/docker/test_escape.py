"""A program in a box gets no further than the box.

Every attempt first succeeds in a container without the measure, so an attempt that does not work
anyway proves nothing.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from docker.errors import ContainerError

from envs.contract.actions import Navigate
from envs.contract.observations import Observe
from envs.contract.task import Task
from envs.providers.boxes import RUN_LABEL, DockerConfig
from envs.providers.docker import DockerProvider
from tests.docker import attempts
from tests.docker.attempts import REACHED, Listener, listener

pytestmark = [pytest.mark.docker, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def provider(browser_image: str) -> AsyncIterator[DockerProvider]:
    async with DockerProvider(DockerConfig(env="browser", size=2)) as provider:
        yield provider


@pytest.fixture(scope="module")
def boxes(engine: Any, provider: DockerProvider) -> tuple[Any, Any]:
    first, other = engine.containers.list(filters={"label": f"{RUN_LABEL}={provider.run}"})
    return first, other


@pytest.fixture(scope="module")
def network(engine: Any, boxes: tuple[Any, Any]) -> str:
    (name,) = boxes[0].attrs["NetworkSettings"]["Networks"]
    return str(name)


@pytest.fixture(scope="module")
def gateway(engine: Any, network: str) -> Iterator[Listener]:
    """A service of this machine at the address that the boxes' network has here."""
    with listener(engine.networks.get(network).attrs["IPAM"]["Config"][0]["Gateway"]) as heard:
        yield heard


@pytest.fixture(scope="module")
def beyond(engine: Any) -> Iterator[Listener]:
    """A service of this machine at another address, behind a box's default route."""
    other = engine.networks.create("deskhand-test-beyond")
    try:
        other.reload()
        with listener(other.attrs["IPAM"]["Config"][0]["Gateway"]) as heard:
            yield heard
    finally:
        other.remove()


def in_box(box: Any, source: str) -> str:
    return str(box.exec_run(["python3.11", "-c", source]).output.decode(errors="replace"))


def unboxed(engine: Any, image: str, source: str, **options: Any) -> str:
    """In a container with none of a box's measures but those that `options` give."""
    with contextlib.suppress(ContainerError):
        output: bytes = engine.containers.run(
            image, ["-c", source], entrypoint="python3.11", remove=True, **options
        )
        return output.decode()
    return "failed"


def last(output: str) -> str:
    return output.strip().splitlines()[-1] if output.strip() else ""


@pytest.mark.parametrize("kind", [attempts.tcp, attempts.udp])
async def test_the_gateway_is_out_of_reach(
    engine: Any, browser_image: str, boxes: Any, network: str, gateway: Listener, kind: Any
) -> None:
    source = kind(gateway.host, gateway.port)
    assert REACHED in unboxed(engine, browser_image, source, network=network)
    seen = len(gateway.came)
    assert REACHED not in last(in_box(boxes[0], source))
    assert len(gateway.came) == seen


@pytest.mark.parametrize("kind", [attempts.tcp, attempts.udp])
async def test_there_is_no_route_out(
    engine: Any, browser_image: str, boxes: Any, beyond: Listener, kind: Any
) -> None:
    source = kind(beyond.host, beyond.port)
    assert REACHED in unboxed(engine, browser_image, source)
    seen = len(beyond.came)
    assert REACHED not in last(in_box(boxes[0], source))
    assert len(beyond.came) == seen


async def test_names_of_the_outside_do_not_resolve(
    engine: Any, browser_image: str, boxes: Any, network: str, beyond: Listener
) -> None:
    source = attempts.lookup("outside.example")
    assert REACHED in unboxed(engine, browser_image, source, network=network, dns=[beyond.host])
    assert REACHED not in last(in_box(boxes[0], source))


async def test_boxes_do_not_reach_each_other(
    engine: Any, browser_image: str, boxes: Any, network: str
) -> None:
    first, other = boxes
    source = attempts.tcp(other.attrs["NetworkSettings"]["Networks"][network]["IPAddress"], 8200)
    plain = engine.networks.create("deskhand-test-plain")
    try:
        plain.connect(other)
        other.reload()
        there = other.attrs["NetworkSettings"]["Networks"][plain.name]["IPAddress"]
        asks = attempts.tcp(there, 8200).replace('b"x"', r'b"GET /v1/health HTTP/1.0\r\n\r\n"')
        assert REACHED in unboxed(engine, browser_image, asks, network=plain.name)
    finally:
        plain.disconnect(other, force=True)
        plain.remove()
    asks = source.replace('b"x"', r'b"GET /v1/health HTTP/1.0\r\n\r\n"')
    assert REACHED not in last(in_box(first, asks))
    assert REACHED not in unboxed(engine, browser_image, asks, network=network), "network alone"


async def test_files_of_the_machine_are_out_of_sight(
    engine: Any, browser_image: str, boxes: Any, tmp_path: Path
) -> None:
    name = f"only-on-the-machine-{secrets.token_hex(4)}"
    (tmp_path / name).write_text("x")
    tmp_path.chmod(0o755)
    source = attempts.file_called(name)
    mounted = {str(tmp_path): {"bind": "/mnt", "mode": "ro"}}
    assert REACHED in unboxed(engine, browser_image, source, volumes=mounted)
    assert REACHED not in in_box(boxes[0], source)


async def test_the_engine_s_socket_is_not_there(
    engine: Any, browser_image: str, boxes: Any, docker_host: str
) -> None:
    path = docker_host.removeprefix("unix://")
    mounted = {path: {"bind": "/var/run/docker.sock", "mode": "rw"}}
    assert REACHED in unboxed(engine, browser_image, attempts.ENGINE_SOCKET, volumes=mounted)
    assert REACHED not in in_box(boxes[0], attempts.ENGINE_SOCKET)


async def test_no_program_of_a_box_reads_the_token(
    engine: Any, browser_image: str, boxes: Any, provider: DockerProvider
) -> None:
    control = f"token-{secrets.token_hex(8)}"
    environment = {"DESKHAND_HOST_TOKEN": control}
    assert REACHED in unboxed(
        engine, browser_image, attempts.secret(control), environment=environment
    )
    async with provider.lease() as first, provider.lease() as other:
        for host in (first, other):
            token = host._client.headers["Authorization"].removeprefix("Bearer ")
            assert len(token) > 20
            for box in boxes:
                assert REACHED not in in_box(box, attempts.secret(token))


@pytest.mark.parametrize(
    "source",
    [attempts.WRITE_SYSTEM, attempts.BECOME_ROOT, attempts.OTHER_OWNER, attempts.RAW_SOCKET],
    ids=["write /usr", "become root", "give a file away", "raw socket"],
)
async def test_privileges_of_a_container_s_root_are_not_had(
    engine: Any, browser_image: str, boxes: Any, source: str
) -> None:
    assert REACHED in unboxed(engine, browser_image, source, user="0")
    assert REACHED not in last(in_box(boxes[0], source))


async def test_root_in_a_box_would_have_no_capability_and_no_writable_system(
    engine: Any, browser_image: str, boxes: Any
) -> None:
    """For a program that got past the user: the box's own measures, not the user's rights."""
    for source in (attempts.WRITE_SYSTEM, attempts.OTHER_OWNER, attempts.RAW_SOCKET):
        assert REACHED in unboxed(engine, browser_image, source, user="0")
        done = boxes[0].exec_run(["python3.11", "-c", source], user="0")
        assert REACHED not in last(done.output.decode())


async def test_set_user_id_programs_give_no_privilege(
    engine: Any, browser_image: str, boxes: Any
) -> None:
    assert REACHED in unboxed(engine, browser_image, attempts.SETUID_PROGRAM, user="1000")
    assert REACHED not in last(in_box(boxes[0], attempts.SETUID_PROGRAM))


@pytest.mark.parametrize("page", ["file:///etc/passwd", "http://{gateway}/"])
async def test_a_page_leads_nowhere_else(
    provider: DockerProvider, gateway: Listener, page: str
) -> None:
    seen = len(gateway.came)
    async with provider.lease() as host:
        session = await host.open()
        task = Task(id="blank", instruction="look", start_url="about:blank")
        await session.reset(task, Observe(tree=False))
        url = page.format(gateway=f"{gateway.host}:{gateway.port}")
        reply = await session.step([Navigate(url=url)], Observe(text=True))
        await session.close()
    assert not reply.results[0].ok
    assert "root:" not in (reply.observation.text or "")
    assert len(gateway.came) == seen


async def opens(provider: DockerProvider, url: str) -> bool:
    async with provider.lease() as host:
        session = await host.open()
        task = Task(id="blank", instruction="look", start_url="about:blank")
        await session.reset(task, Observe(tree=False))
        reply = await session.step([Navigate(url=url)], Observe(tree=False))
        await session.close()
    return reply.results[0].ok


async def test_a_page_does_not_reach_the_host_in_its_own_container(
    provider: DockerProvider,
) -> None:
    url = "http://127.0.0.1:8200/v1/health"
    free = DockerConfig(env="browser", environment={"DESKHAND_BROWSER_BOX": "none"})
    async with DockerProvider(free) as unconfined:
        assert await opens(unconfined, url)
    assert not await opens(provider, url)
