"""A desktop without Docker: the host in a bubblewrap box of its own, reached over loopback.

    DESKHAND_HOST_TOKEN=... python -m envs.providers.sandbox --port 8300

Guarantees: inside, programs are user 1000 with home /home/user, see system programs read-only and
no other file of this machine, have no network but their own loopback, and end with this process.
The box is told the hash of the token only. The socket that the host answers on is bound out here,
where the box cannot reach, and inherited: nothing in the box can take its place. The host is the
first process of the box, which no signal from inside ends or stops, and is not readable there.
Calls that reach into other processes or the kernel are filtered (`envs.io.seccomp`). The
mirror that DESKHAND_ASSETS names is open to the host inside and to no other program there: it also
holds what answers are compared with.

The host has the same user as the programs: bubblewrap maps one user where it is not started by
root, and the host reads, writes and removes what programs left in their home, so with another user
it would need rights over all of their files, and each tool would have to guard them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import hashlib
import os
import shutil
import signal
import socket
import stat
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import envs
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.desktop import wrappers
from envs.desktop.limits import BoxLimits
from envs.desktop.profiles import gimp, pristine, thunderbird
from envs.desktop.size import SIZE, Size, parse_size, size_text
from envs.host.guard import DIGEST, TOKEN, digest_of
from envs.io import seccomp
from envs.io.child_process import die_with_parent, inherited_environment, stop_group
from envs.io.control_groups import enter
from envs.io.relay import Relay
from envs.io.sandboxing import proc_files, python_files, system_files
from envs.io.settings import EnvSettings, SettingsError, read_variable
from envs.osworld.format.assets import SETTING
from envs.osworld.format.mirror import mirror_folder
from envs.providers.box_limits import DEFAULT, groups_of_box
from envs.providers.inside import inside_paths

SOCKET = "host.sock"
"""In the box's folder out here; the box does not see it."""
SCRATCH_BYTES = 512 * 1024 * 1024
"""Of /tmp and of /dev/shm, each."""
SMALL_BYTES = 64 * 1024 * 1024
"""Of the other folders in memory."""
REMOVE_S, REMOVE_PAUSE_S = 10.0, 0.05
BOX_HOME, BOX_PRISTINE = "/home/user", "/var/lib/deskhand/home"
_OWN = {
    "passwd": "root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:User:/home/user:/bin/bash\n",
    "group": "root:x:0:\nuser:x:1000:\n",
    "hosts": "127.0.0.1 localhost desktop\n",
    "machine-id": "0123456789abcdef0123456789abcdef\n",
}
"""Files of /etc that say nothing of this machine."""
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": BOX_HOME,
    "MALLOC_ARENA_MAX": "2",
    "PYTHONPATH": str(Path(envs.__file__).parents[1]),
    "PYTHONSAFEPATH": "1",
}
"""Of the host in the box, all of it; its programs get another."""


def default_pristine() -> Path:
    """Where the pristine home is kept between runs: one for each state of its makers' code."""
    made_by = (pristine, wrappers, gimp, thunderbird)
    source = b"".join(Path(str(module.__file__)).read_bytes() for module in made_by)
    cache = Path(read_variable("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "deskhand" / f"home-{hashlib.sha256(source).hexdigest()[:12]}"


def box_command(
    work: Path, snapshot: Path, options: Sequence[str], host_arguments: Sequence[str]
) -> list[str]:
    """bubblewrap's command line with further `options`. `work` holds home/ and etc/ of the box."""
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
        "--as-pid-1",
        "--clearenv",
        *proc_files(),
        "--dev",
        "/dev",
    ]
    for folder in ("/dev/shm", "/tmp"):
        command += ["--size", str(SCRATCH_BYTES), "--tmpfs", folder]
    for folder in ("/run", "/var"):
        command += ["--size", str(SMALL_BYTES), "--tmpfs", folder]
    command += ["--remount-ro", "/dev"]
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
        "--chdir",
        BOX_HOME,
    ]
    for name, value in _ENVIRONMENT.items():
        command += ["--setenv", name, value]
    command += ["--remount-ro", "/"]
    return [
        *command,
        *options,
        sys.executable,
        "-m",
        "envs.host",
        "--env",
        "desktop",
        "--home",
        BOX_HOME,
        "--pristine",
        BOX_PRISTINE,
        *host_arguments,
    ]


@contextlib.asynccontextmanager
async def start_sandboxed_desktop(
    port: int,
    token: str | None,
    allow_shell: bool = False,
    work: Path | None = None,
    limits: BoxLimits = DEFAULT,
    size: Size = SIZE,
    forwards: Mapping[int, int] | None = None,
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A box whose host answers on 127.0.0.1:`port` (soon; see `wait_healthy`). Yields the box's
    process. `forwards`: ports of this machine's loopback, and the ports of the box that they lead
    to. Raises EpisodeFault(HOST_START) when bubblewrap is missing."""
    if shutil.which("bwrap") is None:
        raise EpisodeFault(
            InvalidReason.HOST_START, "bubblewrap is missing: apt-get install bubblewrap"
        )
    snapshot = default_pristine()
    if not snapshot.exists():
        await asyncio.to_thread(pristine.write, snapshot)
    async with contextlib.AsyncExitStack() as stack:
        if work is None:
            work = Path(tempfile.mkdtemp(prefix="deskhand-box-"))
            stack.callback(remove_tree, work)
        work.chmod(0o700)
        for name in ("home", "etc"):
            (work / name).mkdir(parents=True, exist_ok=True)
        for name, content in _OWN.items():
            (work / "etc" / name).write_text(content)
        listener = stack.enter_context(_listen(work / SOCKET))
        mirror, calls = _open_mirror(stack), _open_filter(stack)
        options = ["--setenv", DIGEST, digest_of(token)] if token else []
        for fd in mirror:
            options += ["--setenv", SETTING, f"/proc/self/fd/{fd}"]
        for fd in calls:
            options += ["--seccomp", str(fd)]
        arguments = ["--fd", str(listener.fileno())]
        arguments += [] if token else ["--no-token"]
        arguments += ["--allow-shell"] if allow_shell else []
        arguments += ["--memory-mb", str(limits.memory_mb), "--disk-mb", str(limits.disk_mb)]
        arguments += ["--processes", str(limits.processes), "--size", size_text(size)]
        inside = []
        for from_port, to_port in (forwards or {}).items():
            path = work / f"port-{to_port}.sock"
            forwarded = stack.enter_context(_listen(path))
            inside.append(forwarded)
            arguments += ["--forward", f"{forwarded.fileno()}:{to_port}"]
            forward = Relay(path)
            stack.push_async_callback(forward.close)
            await forward.open("127.0.0.1", from_port)
        groups = stack.enter_context(groups_of_box(limits))
        command = box_command(work, snapshot, options, arguments)
        relay = Relay(work / SOCKET)
        stack.push_async_callback(relay.close)
        await relay.open("127.0.0.1", port)
        process = await asyncio.create_subprocess_exec(
            *command,
            start_new_session=True,
            preexec_fn=lambda: _confine(groups),
            env=inherited_environment(),
            pass_fds=[listener.fileno(), *(end.fileno() for end in inside), *mirror, *calls],
        )
        stack.push_async_callback(stop_group, process)
        # Held by the box alone: when its host is gone, who connects is refused at once.
        for end in (listener, *inside):
            end.close()
        yield process


def _confine(groups: list[Path]) -> None:
    """In bubblewrap's process, before it starts."""
    die_with_parent()
    enter(groups)


def _listen(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen(128)
    return listener


def remove_tree(folder: Path) -> None:
    """Removes what a box left, without following a link of it; a folder whose rights were taken
    away gets them back first. The box may still be ending. Raises OSError."""
    deadline = time.monotonic() + REMOVE_S
    while True:
        try:
            _open_folders(folder)
            shutil.rmtree(folder)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.ENOENT) or time.monotonic() > deadline:
                raise
            time.sleep(REMOVE_PAUSE_S)


def _open_folders(folder: Path) -> None:
    for _, folders, _, descriptor in os.fwalk(folder, follow_symlinks=False):
        for name in folders:
            status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                os.chmod(name, stat.S_IRWXU, dir_fd=descriptor)


def _open_filter(stack: contextlib.AsyncExitStack) -> list[int]:
    if not seccomp.make_filter():
        return []
    descriptor = seccomp.open_filter()
    stack.callback(os.close, descriptor)
    return [descriptor]


def _open_mirror(stack: contextlib.AsyncExitStack) -> list[int]:
    """A descriptor of the folder, which only the process that inherits it can use: the box does
    not see the folder. None without a mirror. Raises EpisodeFault(HOST_START)."""
    folder = mirror_folder()
    if folder is None:
        return []
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise EpisodeFault(
            InvalidReason.HOST_START, f"{SETTING}={str(folder)!r}: {error.strerror}"
        ) from error
    stack.callback(os.close, descriptor)
    return [descriptor]


async def _serve(options: argparse.Namespace, token: str | None) -> int:
    limits = BoxLimits(options.memory_mb, options.processes, options.disk_mb)
    box_of_options = start_sandboxed_desktop(
        options.port,
        token,
        options.allow_shell,
        options.work,
        limits,
        options.size,
        dict(options.forward),
    )
    task = asyncio.current_task()
    assert task is not None
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, task.cancel)
    try:
        async with box_of_options as box:
            return await box.wait()
    except asyncio.CancelledError:
        return 0


def _parse_forward(text: str) -> tuple[int, int]:
    outside, _, inside = text.partition("=")
    return int(outside), int(inside)


def main() -> None:
    """Command line: one desktop in a box until stopped."""
    parser = argparse.ArgumentParser(description="A desktop in a box of its own on 127.0.0.1.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--allow-shell", action="store_true")
    parser.add_argument("--no-token", action="store_true", help="answer without a token")
    parser.add_argument("--work", type=Path, help="folder of the box's files; default: temporary")
    for name in ("memory_mb", "processes", "disk_mb"):
        help_line = "limit of a task's programs; 0: none (default %(default)s)"
        option, default = f"--{name.replace('_', '-')}", getattr(DEFAULT, name)
        parser.add_argument(option, type=int, default=default, help=help_line)
    parser.add_argument(
        "--size", type=parse_size, default=SIZE, metavar="WxH", help="of the screen, pixels"
    )
    parser.add_argument(
        "--forward",
        action="append",
        type=_parse_forward,
        default=[],
        metavar="PORT=BOX_PORT",
        help="a port of 127.0.0.1 that leads to one of the box, such as 9222 of its Chromium; may "
        "be repeated",
    )
    options = parser.parse_args()
    try:
        token = EnvSettings.take().host_token or None
    except SettingsError as error:
        sys.exit(f"sandbox: {error}")
    if token is None and not options.no_token:
        sys.exit(f"sandbox: set {TOKEN}, or pass --no-token")
    try:
        sys.exit(asyncio.run(_serve(options, token)))
    except EpisodeFault as fault:
        sys.exit(f"sandbox: {fault.detail}")


if __name__ == "__main__":
    main()
