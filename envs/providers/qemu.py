"""Hosts inside QEMU machines, booted from an image of `vm_images/qemu/build.sh`.

Guarantees: the image never changes, and a reset leaves nothing of what was written since the start;
a guest reaches no network, and of it only its host's port is reached, on 127.0.0.1; machines are
stopped when the context ends, also after an exception, and die with this process.
"""

from __future__ import annotations

import asyncio
import secrets

from envs.client import HostClient
from envs.contract.outcomes import EpisodeFault
from envs.providers.local import free_port, wait_healthy
from envs.providers.qemu_process import QemuConfig, QemuProcess

__all__ = ["QemuConfig", "QemuProvider"]

AFTER_RESTORE_TIMEOUT_S = 30.0


class QemuProvider:
    """Starts, resets and stops machines. Use as an async context manager."""

    def __init__(self, config: QemuConfig) -> None:
        self.config = config
        self._machines: dict[HostClient, QemuProcess] = {}

    async def __aenter__(self) -> QemuProvider:
        return self

    async def __aexit__(self, *_: object) -> None:
        async with asyncio.TaskGroup() as stopping:
            for client in list(self._machines):
                stopping.create_task(self.stop(client))

    async def start(self) -> HostClient:
        """Boots a machine, waits for its host and keeps that state for `reset`.

        Raises EpisodeFault(HOST_START), with the end of the guest's console.
        """
        port, token = free_port(), secrets.token_urlsafe(24)
        client = HostClient(f"http://127.0.0.1:{port}", token)
        self._machines[client] = await QemuProcess.start(self.config, port, token)
        try:
            await self._wait_healthy(client, self.config.start_timeout_s)
            await self._machines[client].save()
        except BaseException:
            await asyncio.shield(self.stop(client))
            raise
        return client

    async def reset(self, client: HostClient) -> None:
        """Takes the client's machine back to when it had started: memory, disk, and its clock too.
        The client stays valid, its sessions do not.

        Raises EpisodeFault(HOST_START); the machine is gone then.
        """
        try:
            await client.close()
            await self._machines[client].restore()
            await self._wait_healthy(client, AFTER_RESTORE_TIMEOUT_S)
        except BaseException:
            await asyncio.shield(self.stop(client))
            raise

    async def stop(self, client: HostClient) -> None:
        """Ends the client's machine and closes the client."""
        machine = self._machines.pop(client, None)
        if machine is not None:
            await machine.stop()
            await client.close()

    async def _wait_healthy(self, client: HostClient, timeout_s: float) -> None:
        machine = self._machines[client]
        try:
            await wait_healthy(f"{client.base_url}/v1/health", machine.process, timeout_s)
        except EpisodeFault as fault:
            words = f"{fault.detail}; its console ends: {machine.last_words()}"
            raise EpisodeFault(fault.reason, words) from fault
