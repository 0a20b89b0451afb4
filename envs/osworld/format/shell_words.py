"""Finds the programs that a command line runs, without running it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

_SHELLS = frozenset({"bash", "sh", "dash"})
_PREFIXES = frozenset(
    {
        "!",
        "{",
        "do",
        "elif",
        "else",
        "env",
        "exec",
        "if",
        "nohup",
        "setsid",
        "then",
        "time",
        "until",
        "while",
    }
)
"""The program comes after them, as after sudo."""
_BETWEEN = frozenset("();<>|&")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


def programs(words: Sequence[str], shell: bool) -> set[str]:
    """Names of the programs, without folders. `shell`: the words are one line for a shell. A line
    that no shell would accept has none."""
    if len(words) == 1:
        return set(_of_line(words[0]))
    if shell:
        return set(_of_line(" ".join(words)))
    name = _name(words[0])
    if name in _SHELLS and words[1] == "-c":
        return {name, *_of_line(words[2] if len(words) > 2 else "")}
    return {name}


def _of_line(line: str) -> Iterator[str]:
    lexer = shlex.shlex(line.replace("\n", " ; "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    first = True
    skip = False
    try:
        for token in lexer:
            if set(token) <= _BETWEEN:
                skip = bool(set(token) & {">", "<"})
                first = not skip
            elif skip:
                skip = False
            elif first and (token.startswith("-") or _ASSIGNMENT.match(token)):
                continue
            elif first and token not in _PREFIXES:
                yield _name(token)
                first = token == "sudo"
    except ValueError:
        return


def _name(word: str) -> str:
    return PurePosixPath(word).name
