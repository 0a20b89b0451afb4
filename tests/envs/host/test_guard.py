"""Who may call a host, and what the box knows of the token."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from envs.host.guard import (
    TOKEN,
    Guard,
    digest_of,
    make_guard,
    sign_token,
    token_for,
)
from envs.io.settings import EnvSettings


def test_only_the_token_is_admitted() -> None:
    guard = Guard.of_token("secret")
    assert guard.admits("Bearer secret")
    assert not guard.admits("Bearer Secret")
    assert not guard.admits("")
    assert not guard.admits(f"Bearer {digest_of('secret')}")


def test_the_digest_is_sha256() -> None:
    assert digest_of("secret") == hashlib.sha256(b"secret").hexdigest()


def test_a_box_that_knows_the_digest_only_admits_the_token() -> None:
    settings = EnvSettings(host_token_sha256=digest_of("secret").upper())
    assert make_guard(settings).admits("Bearer secret")


def test_the_token_leaves_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "token"
    file.write_text("secret\n")
    monkeypatch.setenv(f"{TOKEN}_FILE", str(file))
    assert make_guard(EnvSettings.take()).admits("Bearer secret")
    assert f"{TOKEN}_FILE" not in os.environ


def test_without_a_token_everybody_is_admitted() -> None:
    guard = make_guard(EnvSettings())
    assert guard.open
    assert guard.admits("")


def test_each_host_has_a_token_that_tells_nothing_of_another() -> None:
    first, second = (token_for("root", f"http://127.0.0.1:{port}") for port in (1, 2))
    assert first != second
    assert not Guard.of_token(first).admits(f"Bearer {second}")
    assert Guard.of_token(first).admits(f"Bearer {token_for('root', 'http://127.0.0.1:1')}")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A signing key and its public key, as vm_images/secrets.sh makes them."""
    file = tmp_path_factory.mktemp("keys") / "private"
    make = ["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(file)]
    subprocess.run(make, check=True, timeout=60)
    show = ["openssl", "pkey", "-in", str(file), "-pubout"]
    public = subprocess.run(show, check=True, capture_output=True, text=True, timeout=60).stdout
    return file.read_text(), public


def test_a_token_that_was_signed_for_one_address_opens_no_other(keys: tuple[str, str]) -> None:
    signing_key, public_key = keys
    guard = make_guard(EnvSettings(host_public_key=public_key))
    assert not guard.open
    bearer = f"Bearer {sign_token(signing_key, '10.0.0.5:8200')}"
    assert guard.admits(bearer, ("10.0.0.5", 8200))
    assert not guard.admits(bearer, ("10.0.0.6", 8200))
    assert not guard.admits(bearer, ("10.0.0.5", 8201))
    assert not guard.admits(bearer)
    for other in ("", "Bearer ", "Bearer x", f"{bearer}A", f"Bearer {public_key}"):
        assert not guard.admits(other, ("10.0.0.5", 8200))


def test_what_is_no_key_is_refused(keys: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="Unable to load PEM"):
        make_guard(EnvSettings(host_public_key="words"))
    with pytest.raises(ValueError, match=r".+"):
        sign_token(keys[1], "10.0.0.5:8200")
