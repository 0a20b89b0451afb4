"""A desktop in a container or a virtual machine, on a port of 127.0.0.1 that was chosen before.

    export DESKHAND_HOST_TOKEN=...
    python -m envs.providers.machine --provider docker --image NAME --port 8300
    python -m envs.providers.machine --provider qemu --image desktop.qcow2 --port 8300

The counterpart of `envs.providers.sandbox` for stacks whose desktops are not boxes of this machine.

Guarantees: it ends with code 1 and the machine's last words when the machine ends, or a virtual one
does not answer in `QEMU_START_S`, so that who supervises it starts another; what it started is gone
when it ends, also by a signal.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import signal
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.host.guard import TOKEN, digest_of
from envs.io.relay import Relay
from envs.io.settings import EnvSettings, SettingsError
from envs.providers.local import wait_healthy

Kind = Literal["docker", "qemu"]
LOOK_S = 2.0
QEMU_START_S = 900.0
"""An emulated machine boots in a minute or two on an idle computer, and in many on a busy one: that
QEMU waits for the processor is not seen in this process."""


@asynccontextmanager
async def docker_desktop(port: int, token: str, image: str) -> AsyncIterator[asyncio.Task[str]]:
    """A container; yields a task that ends with its last words. Raises EpisodeFault(HOST_START)."""
    from envs.providers.boxes import Boxes, DockerConfig, reap_orphans

    # One thread: what a start that was given up still makes is made before the end removes it.
    thread = ThreadPoolExecutor(1, thread_name_prefix="docker")
    call_docker = partial(asyncio.get_running_loop().run_in_executor, thread)
    await call_docker(reap_orphans)
    config = DockerConfig(env="desktop", image=image)
    boxes = await call_docker(Boxes, config, secrets.token_hex(6))
    relay: Relay | None = None
    try:
        await call_docker(boxes.open)
        box = await call_docker(boxes.start, digest_of(token))
        address = urlsplit(box.url)
        relay = Relay((address.hostname or "", address.port or 0))
        await relay.open("127.0.0.1", port)

        async def end() -> str:
            while True:
                reason = await call_docker(boxes.end_reason, box.id)
                if reason is not None:
                    return reason
                await asyncio.sleep(LOOK_S)

        ending = asyncio.create_task(end())
        try:
            yield ending
        finally:
            ending.cancel()
    finally:
        if relay is not None:
            await relay.close()
        await asyncio.shield(call_docker(boxes.close))
        thread.shutdown()


@asynccontextmanager
async def qemu_desktop(port: int, token: str, image: str) -> AsyncIterator[asyncio.Task[str]]:
    """A virtual machine; yields a task that ends with its last words. Raises
    EpisodeFault(HOST_START)."""
    from envs.providers.qemu_process import QemuConfig, QemuProcess

    machine = await QemuProcess.start(QemuConfig(image=Path(image)), port, token)

    async def end() -> str:
        health = f"http://127.0.0.1:{port}/v1/health"
        try:
            await wait_healthy(health, machine.process, QEMU_START_S)
        except EpisodeFault as fault:
            return f"{fault.detail}; its console ends: {machine.last_words()}"
        code = await machine.process.wait()
        return f"the machine ended with code {code}: {machine.last_words()}"

    ending = asyncio.create_task(end())
    try:
        yield ending
    finally:
        ending.cancel()
        await asyncio.shield(machine.stop())


DESKTOPS = {"docker": docker_desktop, "qemu": qemu_desktop}


async def serve(kind: Kind, port: int, token: str, image: str) -> None:
    """Runs the desktop until it is stopped. Raises EpisodeFault(HOST_START), also when the machine
    ends by itself."""
    task = asyncio.current_task()
    assert task is not None
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, task.cancel)
    async with DESKTOPS[kind](port, token, image) as ending:
        raise EpisodeFault(InvalidReason.HOST_START, await ending)


def main() -> None:
    """Command line: one desktop until stopped."""
    parser = argparse.ArgumentParser(description="A desktop in a container or virtual machine.")
    parser.add_argument("--provider", choices=get_args(Kind), required=True)
    parser.add_argument("--image", default="", help="container image, or the disk image's path")
    parser.add_argument("--port", type=int, required=True, help="of 127.0.0.1")
    options = parser.parse_args()
    try:
        token = EnvSettings.take().host_token
    except SettingsError as error:
        sys.exit(f"machine: {error}")
    if not token:
        sys.exit(f"machine: set {TOKEN}")
    try:
        asyncio.run(serve(options.provider, options.port, token, options.image))
    except EpisodeFault as fault:
        sys.exit(f"machine: {fault.detail}")
    except asyncio.CancelledError:
        return


if __name__ == "__main__":
    main()
