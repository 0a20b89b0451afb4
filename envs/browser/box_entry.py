"""First program of a browser's box: makes the sockets that pages may connect to, then is Chromium.

    python -I -S box_entry.py CONTROL PIPE PORTS FOLDER COMMAND...

It uses the standard library only, for the box shows nothing else of Python. The descriptor CONTROL
gets the listening sockets of the comma-separated PORTS, which belong to the box's network wherever
they are held, and a new folder in FOLDER for files, which belongs to the box's file system in the
same way, or a text with what went wrong. The descriptor PIPE becomes Chromium's debugging
pipe.
"""

import fcntl
import os
import socket
import sys

READ, WRITE = 3, 4
"""Descriptors at which Chromium expects its pipe."""
READY = b"ready"
FILES = "files"
"""The folder's name."""
_ABOVE = 16
_BACKLOG = 128


def make_listeners(ports: list[int]) -> list[socket.socket]:
    """Sockets that listen on 127.0.0.1. Raises OSError, which names the port."""
    listeners = []
    for port in ports:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            raise OSError(f"port {port}: {error.strerror}") from error
        listener.listen(_BACKLOG)
        listeners.append(listener)
    return listeners


def open_new_folder(parent_path: str) -> int:
    """A new empty folder for files."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    parent = os.open(parent_path, flags)
    os.mkdir(FILES, 0o700, dir_fd=parent)
    return os.open(FILES, flags, dir_fd=parent)


def main() -> None:
    """Hands the sockets over and runs the command in the place of this program."""
    control_fd, pipe = (
        fcntl.fcntl(int(number), fcntl.F_DUPFD_CLOEXEC, _ABOVE) for number in sys.argv[1:3]
    )
    for number in sys.argv[1:3]:
        os.close(int(number))
    control = socket.socket(fileno=control_fd)
    try:
        listeners = make_listeners([int(port) for port in sys.argv[3].split(",") if port])
    except OSError as error:
        control.send(str(error).encode())
        sys.exit(1)
    descriptors = [listener.fileno() for listener in listeners]
    socket.send_fds(control, [READY], [*descriptors, open_new_folder(sys.argv[4])])
    os.dup2(pipe, READ)
    os.dup2(pipe, WRITE)
    os.execv(sys.argv[5], sys.argv[5:])


if __name__ == "__main__":
    main()
