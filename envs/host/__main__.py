"""Starts an env host: the service that offers browser sessions, or the desktop of its box.

    DESKHAND_HOST_TOKEN=... python -m envs.host --env browser --port 8200 --gym-url http://127.0.0.1:8100
    DESKHAND_HOST_TOKEN=... python -m envs.host --env desktop --port 8200 --home /home/user

Guarantees: it listens on loopback (or an inherited socket) unless told otherwise, and elsewhere
only with a token. As the first process of a box it takes no signal from the box: what started the
box ends it. DESKHAND_HOST_TOKEN_SHA256 tells it the hash only; each with _FILE names a file.
"""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import uvicorn

from envs.browser.page_size import PAGE_SIZE, parse_page_size
from envs.contract.outcomes import EpisodeFault
from envs.desktop.limits import MB, BoxLimits
from envs.desktop.size import SIZE, parse_size
from envs.host.app import create_app
from envs.host.environments import BrowserEnvironment, DesktopEnvironment, Environment
from envs.host.guard import hide_this_process, make_guard
from envs.io import seccomp
from envs.io.control_groups import memory_limit
from envs.io.episode_log import set_log_format
from envs.io.settings import EnvSettings
from envs.io.traces import start_traces
from envs.osworld.format.mirror import hide_from_children

SITES = "DESKHAND_SITES"
PROGRAM_SHARE = 0.6
"""Of a container's memory, for a task's programs; the rest is for files in memory and the host."""


def main() -> None:
    """Command line: serves one environment until stopped."""
    options = _arguments()
    try:
        settings = EnvSettings.take()
        guard = make_guard(settings)
        start_traces(f"host-{options.env}")
    except ValueError as error:
        sys.exit(f"env host: {error}")
    set_log_format("WARNING")
    hide_this_process()
    hide_from_children()
    if guard.open and not options.no_token:
        sys.exit(
            "env host: set DESKHAND_HOST_TOKEN, DESKHAND_HOST_TOKEN_SHA256 or "
            "DESKHAND_HOST_PUBLIC_KEY (or one with _FILE), or pass --no-token"
        )
    if guard.open and options.fd is None and not _is_loopback(options.bind):
        sys.exit(f"env host: --no-token is for loopback only, not {options.bind}")
    environment: Environment
    if options.env == "desktop":
        if seccomp.make_filter():
            # What bubblewrap does for its boxes; containers and virtual machines come without.
            seccomp.enter_filter(network=True)
        memory_mb = options.memory_mb or _share_of_container()
        limits = BoxLimits(memory_mb, options.processes, options.disk_mb)
        environment = DesktopEnvironment(
            options.home,
            options.pristine,
            options.allow_shell,
            limits,
            options.size,
            [(_inherited_socket(descriptor), port) for descriptor, port in options.forward],
        )
    else:
        environment = _browser_environment(options, settings)
    config = uvicorn.Config(
        create_app(environment, guard),
        host=options.bind,
        port=options.port or 0,
        access_log=False,
        log_level="warning",
        log_config=None,
        timeout_graceful_shutdown=3,
        # Longer than clients keep an idle connection: none sends into one that is being closed.
        timeout_keep_alive=60,
    )
    inherited = None if options.fd is None else [_inherited_socket(options.fd)]
    server = _FirstProcess(config) if os.getpid() == 1 else uvicorn.Server(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=inherited)
    if not server.started:
        sys.exit(3)


class _FirstProcess(uvicorn.Server):
    """A server whose process no other of its namespace can end: the kernel delivers to a first
    process only the signals that it handles, and this one handles none of those that end it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ignores signals instead of ending by them."""
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(sign, signal.SIG_IGN)
        yield


def _share_of_container() -> int:
    """Megabytes that a task's programs may use of this container's memory; 0: it has no limit."""
    return int((memory_limit() or 0) * PROGRAM_SHARE) // MB


def _inherited_socket(descriptor: int) -> socket.socket:
    """The listening socket of that number, which no program started here inherits."""
    listener = socket.socket(fileno=descriptor)
    listener.set_inheritable(False)
    listener.setblocking(False)
    return listener


def _browser_environment(options: argparse.Namespace, settings: EnvSettings) -> BrowserEnvironment:
    sites, gym_token = [*options.site, *settings.sites], settings.gym_admin_token
    try:
        return BrowserEnvironment(options.capacity, options.gym_url, gym_token, sites, options.page)
    except EpisodeFault as fault:
        sys.exit(f"env host: {fault.detail}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m envs.host", description="An env host.")
    parser.add_argument("--env", choices=("browser", "desktop"), default="browser")
    parser.add_argument("--port", type=int, help="port to listen on")
    parser.add_argument("--bind", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--fd", type=int, help="inherited descriptor of a listening socket")
    parser.add_argument("--no-token", action="store_true", help="answer without a token (loopback)")
    browser = parser.add_argument_group("browser")
    browser.add_argument("--gym-url", default=None, help="base URL of the gym server")
    browser.add_argument(
        "--site",
        action="append",
        default=[],
        metavar="URL",
        help="a site on this machine that tasks with a start_url may open; may be repeated, and "
        f"{SITES} adds more, comma-separated",
    )
    browser.add_argument("--capacity", type=int, default=64, help="most sessions at once")
    browser.add_argument(
        "--page", type=parse_page_size, default=PAGE_SIZE, metavar="WxH", help="size of the pages"
    )
    desktop = parser.add_argument_group("desktop")
    desktop.add_argument(
        "--home",
        type=Path,
        default=Path("/home/user"),
        help="home folder of the desktop's user; emptied at every reset",
    )
    desktop.add_argument(
        "--pristine",
        type=Path,
        default=Path("/opt/deskhand/home"),
        help="what the home folder is reset to; made if it does not exist",
    )
    desktop.add_argument(
        "--allow-shell", action="store_true", help="let agents run commands and processes"
    )
    desktop.add_argument(
        "--size", type=parse_size, default=SIZE, metavar="WxH", help="of the screen, pixels"
    )
    desktop.add_argument(
        "--forward",
        action="append",
        type=_parse_forward,
        default=[],
        metavar="FD:PORT",
        help="inherited descriptor of a listening socket, whose connections go to this port of the "
        "box; may be repeated",
    )
    for name, what in (
        ("memory-mb", "memory of a task's programs (in a container: 60%% of its limit)"),
        ("processes", "processes and threads of a task's programs"),
        ("disk-mb", "disk space of the home folder"),
    ):
        desktop.add_argument(f"--{name}", type=int, default=0, help=f"most {what}; 0: any")
    options = parser.parse_args()
    if options.fd is None and options.port is None:
        parser.error("give --port or --fd")
    return options


def _parse_forward(text: str) -> tuple[int, int]:
    descriptor, _, port = text.partition(":")
    return int(descriptor), int(port)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


if __name__ == "__main__":
    main()
