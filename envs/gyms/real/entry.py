"""The first program in an application's box: starts its server and passes connections on to it.

    python3 -I -S entry.py SOCKET PORT COMMAND...

Guarantees: needs nothing but Python's own library; listens on the Unix socket SOCKET, for the
network of the box has no other way in; ends when the server ends, and the server with it.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import FrameType

PIECE = 1 << 16
BACKLOG = 64
CONNECT_S = 5.0


def serve(path: Path, port: int, command: list[str]) -> int:
    """Runs until the server ends; its exit status."""
    server = subprocess.Popen(command)

    def stop(number: int, frame: FrameType | None) -> None:
        server.terminate()

    signal.signal(signal.SIGTERM, stop)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(BACKLOG)
        threading.Thread(target=_accept, args=(listener, port), daemon=True).start()
        return server.wait()


def _accept(listener: socket.socket, port: int) -> None:
    while True:
        near, _ = listener.accept()
        threading.Thread(target=_relay, args=(near, port), daemon=True).start()


def _relay(near: socket.socket, port: int) -> None:
    with near:
        try:
            far = socket.create_connection(("127.0.0.1", port), timeout=CONNECT_S)
        except OSError:
            return  # the server has not begun to listen: the caller sees a closed connection
        far.settimeout(None)
        with far:
            back = threading.Thread(target=_pump, args=(far, near), daemon=True)
            back.start()
            _pump(near, far)
            back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    # Either side may be gone; the other one must be told, or its thread would wait for ever.
    with contextlib.suppress(OSError):
        while data := source.recv(PIECE):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    sys.exit(serve(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
