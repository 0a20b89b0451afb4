"""A desktop without Docker: the host in a bubblewrap box of its own, reached over loopback.

    DESKHAND_HOST_TOKEN=... python -m envs.providers.sandbox --port 8300

Guarantees: inside, programs are user 1000 with home /home/user, see system programs read-only and
no other file of this machine, have no network but their own loopback, and end with this process.
The box is told the hash of the token only. The mirror that DESKHAND_ASSETS names is open to the
host inside and to no other program there: it also holds what answers are compared with.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import envs
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.desktop import wrappers
from envs.desktop.profiles import gimp, pristine, thunderbird
from envs.host.guard import DIGEST, TOKEN, digest_of
from envs.io.child_process import die_with_parent, stop_group
from envs.io.sandboxing import python_files, system_files
from envs.osworld.format.assets import SETTING
from envs.providers.inside import inside_paths

SOCKET_FOLDER, SOCKET = "/run/deskhand", "host.sock"
BOX_HOME, BOX_PRISTINE = "/home/user", "/var/lib/deskhand/home"
_OWN = {
    "passwd": "root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:User:/home/user:/bin/bash\n",
    "group": "root:x:0:\nuser:x:1000:\n",
    "hosts": "127.0.0.1 localhost desktop\n",
    "machine-id": "0123456789abcdef0123456789abcdef\n",
}
"""Files of /etc that say nothing of this machine."""


def default_pristine() -> Path:
    """Where the pristine home is kept between runs: one for each state of its makers' code."""
    made_by = (pristine, wrappers, gimp, thunderbird)
    source = b"".join(Path(str(module.__file__)).read_bytes() for module in made_by)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "deskhand" / f"home-{hashlib.sha256(source).hexdigest()[:12]}"


def box_command(work: Path, snapshot: Path, host_arguments: Sequence[str]) -> list[str]:
    """bubblewrap's command line. `work` holds home/, run/ and etc/ of this box."""
    command = [
        "bwrap",
        "--unshare-user",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--hostname",
        "desktop",
        "--uid",
        "1000",
        "--gid",
        "1000",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
        "--tmpfs",
        "/run",
        "--tmpfs",
        "/var",
    ]
    command += system_files()
    for name in _OWN:
        command += ["--ro-bind", str(work / "etc" / name), f"/etc/{name}"]
    command += ["--ro-bind-try", "/var/lib/dbus", "/var/lib/dbus"]
    command += ["--ro-bind-try", "/var/cache/fontconfig", "/var/cache/fontconfig"]
    command += ["--ro-bind-try", "/var/lib/libreoffice", "/var/lib/libreoffice"]
    command += python_files(*inside_paths())
    command += [
        "--ro-bind",
        str(snapshot),
        BOX_PRISTINE,
        "--bind",
        str(work / "home"),
        BOX_HOME,
        "--bind",
        str(work / "run"),
        SOCKET_FOLDER,
        "--chdir",
        BOX_HOME,
        "--setenv",
        "PATH",
        "/usr/local/bin:/usr/bin:/bin",
        "--setenv",
        "LANG",
        "C.UTF-8",
        "--setenv",
        "HOME",
        BOX_HOME,
        "--setenv",
        "MALLOC_ARENA_MAX",
        "2",
        "--setenv",
        "PYTHONPATH",
        str(Path(envs.__file__).parents[1]),
    ]
    return [
        *command,
        sys.executable,
        "-m",
        "envs.host",
        "--env",
        "desktop",
        "--uds",
        f"{SOCKET_FOLDER}/{SOCKET}",
        "--home",
        BOX_HOME,
        "--pristine",
        BOX_PRISTINE,
        *host_arguments,
    ]


@contextlib.asynccontextmanager
async def sandboxed_desktop(
    port: int, token: str | None, allow_shell: bool = False, work: Path | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A box whose host answers on 127.0.0.1:`port` (soon; see `wait_healthy`). Yields the box's
    process. Raises EpisodeFault(HOST_START) when bubblewrap is missing."""
    if shutil.which("bwrap") is None:
        raise EpisodeFault(
            InvalidReason.HOST_START, "bubblewrap is missing: apt-get install bubblewrap"
        )
    snapshot = default_pristine()
    if not snapshot.exists():
        await asyncio.to_thread(pristine.write, snapshot)
    async with contextlib.AsyncExitStack() as stack:
        if work is None:
            work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="deskhand-box-")))
        for name in ("home", "run", "etc"):
            (work / name).mkdir(parents=True, exist_ok=True)
        for name, content in _OWN.items():
            (work / "etc" / name).write_text(content)
        arguments = ["--allow-shell"] if allow_shell else []
        command = box_command(work, snapshot, arguments + ([] if token else ["--no-token"]))
        box_options = ["--setenv", DIGEST, digest_of(token)] if token else []
        mirror = _open_mirror(stack)
        box_options += [
            word for fd in mirror for word in ("--setenv", SETTING, f"/proc/self/fd/{fd}")
        ]
        separator = command.index(sys.executable)
        command[separator:separator] = box_options
        connections: set[asyncio.Task[None]] = set()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(_forward(reader, writer, work / "run" / SOCKET))
            connections.add(task)
            task.add_done_callback(connections.discard)

        server = await asyncio.start_server(accept, "127.0.0.1", port)
        stack.push_async_callback(_close_server, server, connections)
        process = await asyncio.create_subprocess_exec(
            *command, start_new_session=True, preexec_fn=die_with_parent, pass_fds=mirror
        )
        stack.push_async_callback(stop_group, process)
        yield process


def _open_mirror(stack: contextlib.AsyncExitStack) -> list[int]:
    """A descriptor of the folder, which only the process that inherits it can use: the box does
    not see the folder. None without a mirror. Raises EpisodeFault(HOST_START)."""
    folder = os.environ.get(SETTING)
    if not folder:
        return []
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise EpisodeFault(
            InvalidReason.HOST_START, f"{SETTING}={folder!r}: {error.strerror}"
        ) from error
    stack.callback(os.close, descriptor)
    return [descriptor]


async def _close_server(server: asyncio.Server, connections: set[asyncio.Task[None]]) -> None:
    server.close()
    for task in connections:
        task.cancel()
    await asyncio.gather(*connections, return_exceptions=True)


async def _forward(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, socket: Path
) -> None:
    """One connection, both ways, until either side ends it."""
    try:
        inner_reader, inner_writer = await asyncio.open_unix_connection(socket)
    except OSError:
        writer.close()
        return
    try:
        await asyncio.gather(_pump(reader, inner_writer), _pump(inner_reader, writer))
    finally:
        inner_writer.close()
        writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):  # either side may be gone
        while data := await reader.read(1 << 18):
            writer.write(data)
            await writer.drain()
        writer.write_eof()


async def _serve(port: int, token: str | None, allow_shell: bool, work: Path | None) -> int:
    task = asyncio.current_task()
    assert task is not None
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, task.cancel)
    try:
        async with sandboxed_desktop(port, token, allow_shell, work) as box:
            return await box.wait()
    except asyncio.CancelledError:
        return 0


def main() -> None:
    """Command line: one desktop in a box until stopped."""
    parser = argparse.ArgumentParser(description="A desktop in a box of its own on 127.0.0.1.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--allow-shell", action="store_true")
    parser.add_argument("--no-token", action="store_true", help="answer without a token")
    parser.add_argument("--work", type=Path, help="folder of the box's files; default: temporary")
    options = parser.parse_args()
    token = os.environ.pop(TOKEN, "") or None
    if token is None and not options.no_token:
        sys.exit(f"sandbox: set {TOKEN}, or pass --no-token")
    try:
        sys.exit(asyncio.run(_serve(options.port, token, options.allow_shell, options.work)))
    except EpisodeFault as fault:
        sys.exit(f"sandbox: {fault.detail}")


if __name__ == "__main__":
    main()
