"""One QEMU process: started on whichever accelerator works, spoken to through its monitor, ended.

Guarantees: the guest writes to an overlay that exists only as long as the process, never to the
image; guest and command line know the token's SHA-256 only; the process ends with this one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from pathlib import Path
from typing import Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.host.guard import digest_of
from envs.io.child_process import die_with_parent, inherited_environment
from envs.io.settings import EnvSettings

GUEST_PORT = 8200
KERNEL_LINE = "root=/dev/vda rw init=/sbin/deskhand-init console=ttyS0 quiet panic=-1"
PROBE_TIMEOUT_S = 15.0
MONITOR_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 8.0

Accelerator = Literal["kvm", "tcg"]
ACCELERATORS: dict[Accelerator, list[str]] = {
    "kvm": ["-accel", "kvm", "-cpu", "host"],
    "tcg": ["-accel", "tcg,thread=multi", "-cpu", "max"],
}
BARE = "-nodefaults -no-user-config -no-reboot -display none -machine q35 -device virtio-rng-pci"


class QemuConfig(BaseModel):
    """What a machine is made of. Beside `image` (NAME.qcow2) lie NAME.vmlinuz and NAME.initrd."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    image: Path
    binary: str = "qemu-system-x86_64"
    accelerator: Literal["auto", "kvm", "tcg"] = "auto"
    memory_mb: int = Field(2048, ge=256)
    cpus: int = Field(2, ge=1)
    start_timeout_s: float = Field(240.0, gt=0)
    cache_dir: Path = Field(default_factory=lambda: EnvSettings.from_env().cache)
    """where it is remembered whether KVM works here"""

    @property
    def kernel(self) -> Path:
        """The kernel beside the disk image."""
        return self.image.with_suffix(".vmlinuz")

    @property
    def initrd(self) -> Path:
        """The initial RAM disk beside the disk image."""
        return self.image.with_suffix(".initrd")


class QemuProcess:
    """A machine that boots the image and publishes its host on 127.0.0.1:`port`."""

    def __init__(
        self, process: asyncio.subprocess.Process, directory: tempfile.TemporaryDirectory[str]
    ) -> None:
        self.process = process
        self._directory = directory

    @classmethod
    async def start(cls, config: QemuConfig, port: int, token: str) -> QemuProcess:
        """Overlay and saved state go to TMPDIR, about 300 MB a machine, and more as the guest
        writes. Raises EpisodeFault(HOST_START) when something to start with is missing."""
        for path in (config.image, config.kernel, config.initrd):
            if not path.is_file():
                raise _fault(f"{path} is missing: build it with vm_images/qemu/build.sh")
        async with _probing:
            accelerator = await choose_accelerator(config)
        directory = tempfile.TemporaryDirectory(prefix="deskhand-vm-")
        at = Path(directory.name)
        devices = [
            # With snapshot=on QEMU itself makes the overlay and unlinks it as soon as it is open.
            *("-drive", f"file={_escape(config.image)},if=virtio,format=qcow2,snapshot=on"),
            *("-fw_cfg", f"name=opt/deskhand/token-sha256,string={digest_of(token)}"),
            # Without IPv6: its gateway is this machine's ::1.
            "-netdev",
            f"user,id=net,restrict=on,ipv6=off,hostfwd=tcp:127.0.0.1:{port}-:{GUEST_PORT}",
            *("-device", "virtio-net-pci,netdev=net,romfile="),
            *("-qmp", f"unix:{_escape(at / 'qmp')},server=on,wait=off"),
        ]
        try:
            return cls(await _spawn(config, accelerator, KERNEL_LINE, at, devices), directory)
        except BaseException:
            directory.cleanup()
            raise

    def last_words(self) -> str:
        """The end of the guest's console, or else of what QEMU itself said."""
        at = Path(self._directory.name)
        return (_tail(at / "console") or _tail(at / "qemu")).strip()

    async def save(self) -> None:
        """Keeps memory, devices and disk as they are now. Raises EpisodeFault(HOST_START)."""
        await self._run_monitor_command("savevm ready")

    async def restore(self) -> None:
        """Goes back to what `save` kept. Raises EpisodeFault(HOST_START)."""
        await self._run_monitor_command("loadvm ready")

    async def stop(self) -> None:
        """Asks QEMU to end, kills it if it does not, and removes what it left on disk."""
        try:
            with contextlib.suppress(TimeoutError, OSError, EOFError):
                async with asyncio.timeout(STOP_TIMEOUT_S):
                    await self._monitor("quit", {})
                    await self.process.wait()
        finally:
            await _kill(self.process)
            self._directory.cleanup()

    async def _run_monitor_command(self, line: str) -> None:
        """A command of the text monitor, which says nothing when all went well."""
        try:
            async with asyncio.timeout(MONITOR_TIMEOUT_S):
                answer = await self._monitor("human-monitor-command", {"command-line": line})
        except (TimeoutError, OSError, EOFError) as error:
            raise _fault(f"QEMU's monitor is gone: {error!r}") from error
        if answer.get("return") != "":
            raise _fault(f"QEMU could not {line}: {answer}")

    async def _monitor(self, command: str, arguments: dict[str, str]) -> dict[str, object]:
        """JSON lines: a greeting, then an answer to each command, events in between."""
        reader, writer = await asyncio.open_unix_connection(Path(self._directory.name) / "qmp")
        try:
            await reader.readuntil()
            answer: dict[str, object] = {}
            for execute, parameters in (("qmp_capabilities", {}), (command, arguments)):
                line = orjson.dumps({"execute": execute, "arguments": parameters})
                writer.write(line + b"\n")
                await writer.drain()
                answer = {"event": None}
                while "event" in answer:
                    answer = orjson.loads(await reader.readuntil())
            return answer
        finally:
            writer.close()


_probing = asyncio.Lock()


async def choose_accelerator(config: QemuConfig) -> Accelerator:
    """KVM where a guest kernel really boots under it; /dev/kvm alone does not promise that. The
    answer is kept until this computer is booted again."""
    if config.accelerator != "auto":
        return config.accelerator
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return "tcg"
    boot_id = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    answer = config.cache_dir.expanduser() / f"kvm-works-{boot_id}"
    if not answer.exists():
        works = await _kvm_works(config)
        answer.parent.mkdir(parents=True, exist_ok=True)
        answer.write_text("yes" if works else "no")
    return "kvm" if answer.read_text() == "yes" else "tcg"


async def _kvm_works(config: QemuConfig) -> bool:
    """Boots the kernel with an init that ends at once; the kernel must live to complain of it."""
    with tempfile.TemporaryDirectory(prefix="deskhand-kvm-") as directory:
        line = "console=ttyS0 panic=-1 rdinit=/bin/true"
        process = await _spawn(config, "kvm", line, Path(directory), [])
        try:
            await asyncio.wait_for(process.wait(), PROBE_TIMEOUT_S)
        except TimeoutError:
            return False
        finally:
            await _kill(process)
        return "Attempted to kill init" in _tail(Path(directory) / "console", 8000)


async def _spawn(
    config: QemuConfig, accelerator: Accelerator, line: str, directory: Path, devices: list[str]
) -> asyncio.subprocess.Process:
    command = [config.binary, *BARE.split(), *ACCELERATORS[accelerator]]
    command += ["-smp", str(config.cpus), "-m", f"{config.memory_mb}M"]
    command += ["-kernel", str(config.kernel), "-initrd", str(config.initrd), "-append", line]
    command += ["-serial", f"file:{directory}/console", *devices]
    with (directory / "qemu").open("wb") as log:
        try:
            return await asyncio.create_subprocess_exec(
                *command,
                env=inherited_environment() | {"TMPDIR": str(directory)},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        except FileNotFoundError as error:
            raise _fault(f"{config.binary} is missing: install qemu-system-x86") from error


async def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _escape(path: Path) -> str:
    """A comma would end the option."""
    return str(path.absolute()).replace(",", ",,")


def _tail(path: Path, characters: int = 400) -> str:
    return path.read_text(errors="replace")[-characters:] if path.exists() else ""


def _fault(detail: str) -> EpisodeFault:
    return EpisodeFault(InvalidReason.HOST_START, detail)
