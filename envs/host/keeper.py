"""Keeps a host running on a machine of its own, as what root's init ends with.

    python -P -m envs.host.keeper --port 8200 --user user -- python -P -m envs.host --env desktop

Guarantees: the port is bound once, before any program of the desktop runs, and stays bound: while
no host runs, connections wait for the next one, and nobody else receives them. A host of another
user is the first process of a namespace: its programs neither end it nor see what runs outside, and
when it ends the kernel kills whatever they left running, before the next one starts.
"""

from __future__ import annotations

import argparse
import os
import pwd
import socket
import subprocess
import time
from collections.abc import Sequence

PAUSE_S = 1.0
BACKLOG = 128


def as_user(user: str | None, command: Sequence[str]) -> list[str]:
    """The command as this user, without a way to more rights and as the first process of those it
    sees; None: as who runs this."""
    if user is None:
        return list(command)
    group = pwd.getpwnam(user).pw_gid
    rights = [f"--reuid={user}", f"--regid={group}", "--init-groups", "--no-new-privs"]
    alone = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--"]
    return [*alone, "setpriv", *rights, "--", *command]


def keep(listener: socket.socket, user: str | None, command: Sequence[str]) -> None:
    """Runs the command with `--fd N`, again whenever it ends; for ever."""
    fd = listener.fileno()
    while True:
        ended = subprocess.run(
            as_user(user, [*command, "--fd", str(fd)]), pass_fds=[fd], check=False
        )
        print(f"deskhand: the host ended with {ended.returncode}, starting it again", flush=True)
        time.sleep(PAUSE_S)


def main() -> None:
    """Command line: binds, then keeps the host running."""
    parser = argparse.ArgumentParser(description="Keeps a host running on one socket.")
    parser.add_argument("--bind", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--user", help="who the host runs as; only root can say so")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    if options.user is None and os.getuid() == 0:
        parser.error("--user: a host does not run as root")
    with socket.create_server((options.bind, options.port), backlog=BACKLOG) as listener:
        keep(listener, options.user, options.command)


if __name__ == "__main__":
    main()
