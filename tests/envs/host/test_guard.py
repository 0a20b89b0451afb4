"""Who may call a host, and what the box knows of the token."""

from __future__ import annotations

import hashlib
from pathlib import Path

from envs.host.guard import DIGEST, TOKEN, Guard, digest_of, guard_from, token_for


def test_only_the_token_is_admitted() -> None:
    guard = Guard.of_token("secret")
    assert guard.admits("Bearer secret")
    assert not guard.admits("Bearer Secret")
    assert not guard.admits("")
    assert not guard.admits(f"Bearer {digest_of('secret')}")


def test_the_digest_is_sha256() -> None:
    assert digest_of("secret") == hashlib.sha256(b"secret").hexdigest()


def test_a_box_that_knows_the_digest_only_admits_the_token() -> None:
    environment = {DIGEST: digest_of("secret").upper()}
    assert guard_from(environment).admits("Bearer secret")


def test_the_token_leaves_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("secret\n")
    environment = {f"{TOKEN}_FILE": str(file), "HOME": "/home/user"}
    assert guard_from(environment).admits("Bearer secret")
    assert environment == {"HOME": "/home/user"}


def test_without_a_token_everybody_is_admitted() -> None:
    guard = guard_from({})
    assert guard.open
    assert guard.admits("")


def test_each_host_has_a_token_that_tells_nothing_of_another() -> None:
    first, second = (token_for("root", f"http://127.0.0.1:{port}") for port in (1, 2))
    assert first != second
    assert not Guard.of_token(first).admits(f"Bearer {second}")
    assert Guard.of_token(first).admits(f"Bearer {token_for('root', 'http://127.0.0.1:1')}")
