"""What a process and its children may change, where neither namespaces nor another user are to be
had: Landlock, which the kernel (5.13 and later) gives to any process.

Guarantees: after `confine` nothing is written, made, renamed or removed outside the named folders,
whoever owns it; from kernel 6.12 on no process but those that were confined with it gets a signal.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Sequence
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""Numbers of the calls, the same on every machine."""
_VERSION_FLAG, _PATH_BENEATH = 1, 1
_PR_SET_NO_NEW_PRIVS = 38
_WRITE_FILE = 1 << 1
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_SCOPE_OF_SIGNALS_AND_SOCKETS = 0b11
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")


def version() -> int:
    """Version of Landlock in this kernel; 0: there is none, or a filter forbids it."""
    return max(0, int(ctypes.CDLL(None).syscall(_CREATE_RULESET, 0, 0, _VERSION_FLAG)))


def confine(folders: Sequence[Path]) -> None:
    """This process and what it starts change nothing outside these folders, for good. Raises
    OSError where there is no Landlock."""
    number = version()
    writes = _WRITE_FILE | _REMOVE_AND_MAKE
    writes |= (_REFER if number >= 2 else 0) | (_TRUNCATE if number >= 3 else 0)
    rules = struct.pack("QQQ", writes, 0, _SCOPE_OF_SIGNALS_AND_SOCKETS if number >= 6 else 0)
    size = 24 if number >= 6 else 8
    ruleset = _call(_CREATE_RULESET, ctypes.create_string_buffer(rules, size), size, 0)
    try:
        for folder in folders:
            _allow(ruleset, folder, writes)
        for device in _DEVICES:
            _allow(ruleset, Path(device), writes & (_WRITE_FILE | _TRUNCATE))
        ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        _call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor), 12)
        _call(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)


def _call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"Landlock: {os.strerror(code)}")
    return result
