"""What a program in a box may try: Python sources that print `reached` where they got through."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

REACHED = "reached"
WAIT_S = 4


def tcp(host: str, port: int) -> str:
    return f"""
import socket
with socket.create_connection(({host!r}, {port}), {WAIT_S}) as link:
    link.sendall(b"x")
    print("reached" if link.recv(9) else "")
"""


def udp(host: str, port: int) -> str:
    return f"""
import socket
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
    link.settimeout({WAIT_S})
    link.sendto(b"x", ({host!r}, {port}))
    print("reached" if link.recv(9) else "")
"""


def lookup(name: str) -> str:
    return f"import socket; print('reached' if socket.gethostbyname({name!r}) else '')"


def file_called(name: str) -> str:
    """Anywhere below /, kernel file systems left out."""
    return f"""
import os
for folder, below, names in os.walk("/"):
    if folder == "/":
        below[:] = [one for one in below if one not in ("proc", "sys", "dev")]
    if {name!r} in names:
        print("reached")
"""


def secret(word: str) -> str:
    """In the environment and command line of any process, in what is mounted or can be written."""
    return f"""
import glob, os
paths = glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline")
for top in ("/run", "/tmp", "/home", "/var", "/etc", "/opt/deskhand/home", "/dev/shm"):
    paths += [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]
for path in paths:
    if path == f"/proc/{{os.getpid()}}/cmdline" or not (os.path.isfile(path)):
        continue
    try:
        with open(path, "rb") as file:
            if {word.encode()!r} in file.read(1 << 22):
                print("reached", path)
    except OSError:
        pass
"""


ENGINE_SOCKET = """
import os, stat
for path in ("/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock"):
    if os.path.exists(path) and stat.S_ISSOCK(os.stat(path).st_mode):
        print("reached", path)
"""

WRITE_SYSTEM = "open('/usr/bin/planted', 'w').write('x'); print('reached')"
BECOME_ROOT = "import os; os.setgid(0); os.setuid(0); print('reached')"
OTHER_OWNER = "import os; open('/tmp/f', 'w').close(); os.chown('/tmp/f', 1, 1); print('reached')"
RAW_SOCKET = (
    "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close(); print('reached')"
)
SETUID_PROGRAM = """
import subprocess
program = subprocess.Popen(
    ["passwd"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
)
program.stdout.read(1)
uids = next(line for line in open(f"/proc/{program.pid}/status") if line.startswith("Uid"))
program.kill()
print("reached" if uids.split()[2] == "0" else "")
"""
"""`passwd` is root's, has the bit and waits for words: its effective user tells if that counted."""


@dataclass
class Listener:
    """Answers one byte over TCP and UDP, and DNS queries with 192.0.2.1; counts who came."""

    host: str
    port: int
    came: list[str] = field(default_factory=list)


@contextmanager
def listener(host: str) -> Iterator[Listener]:
    """On an address of this machine; its name server part listens on port 53."""
    stream = socket.create_server((host, 0))
    port = stream.getsockname()[1]
    datagrams, names = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    datagrams.bind((host, port))
    names.bind((host, 53))
    heard = Listener(host, port)

    def answer_streams() -> None:
        while True:
            try:
                link, peer = stream.accept()
            except OSError:
                return
            with link:
                heard.came.append(peer[0])
                link.sendall(b"y")

    def answer(where: socket.socket, reply: Any) -> None:
        while True:
            try:
                data, peer = where.recvfrom(512)
            except OSError:
                return
            if not data:
                return
            heard.came.append(peer[0])
            where.sendto(reply(data), peer)

    threads = [
        threading.Thread(target=answer_streams),
        threading.Thread(target=answer, args=(datagrams, lambda data: b"y")),
        threading.Thread(target=answer, args=(names, _resolve)),
    ]
    for thread in threads:
        thread.start()
    try:
        yield heard
    finally:
        stream.shutdown(socket.SHUT_RDWR)
        for where in (datagrams, names):
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"", where.getsockname())
        for thread in threads:
            thread.join(5)
        for where in (stream, datagrams, names):
            where.close()


def _resolve(query: bytes) -> bytes:
    """The address 192.0.2.1 for whatever name is asked; no records for other kinds."""
    question = query[12 : query.index(b"\0", 12) + 5]
    address = question[-4:-2] == b"\0\1"
    head = query[:2] + b"\x81\x80\0\1" + (b"\0\1" if address else b"\0\0") + b"\0\0\0\0"
    record = b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4\xc0\0\2\1" if address else b""
    return head + question + record
