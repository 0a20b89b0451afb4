"""Saved log-in state is kept encrypted, and told without values."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.store.profiles import NoSuchProfile, ProfileError, Profiles, make_key
from envs.contract.browser_state import BrowserState, Reach

STATE = BrowserState.model_validate(
    {
        "cookies": [{"name": "sid", "value": "s3cret-value", "domain": "shop.example"}],
        "origins": [
            {
                "origin": "https://bank.example",
                "localStorage": [{"name": "token", "value": "l0cal-value"}],
            }
        ],
    }
)


def write_keys(file: Path, *keys: str) -> Path:
    file.write_text("\n".join(keys))
    file.chmod(0o600)
    return file


@pytest.fixture(params=["folder", "store"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "run") if request.param == "folder" else f"memory://{tmp_path}"


def test_a_state_comes_back_and_nothing_of_it_is_on_disk(url: str, tmp_path: Path) -> None:
    profiles = Profiles(url, write_keys(tmp_path / "keys", make_key()))
    saved = profiles.save("anna", STATE)
    assert profiles.load("anna") == STATE
    assert (saved.domains, saved.cookies) == (("bank.example", "shop.example"), 1)
    assert profiles.get("anna") == saved
    assert profiles.list_names() == ["anna"]
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert len(files) == (0 if url.startswith("memory") else 1)
    clear = ("s3cret-value", "l0cal-value", "shop.example", "sid")
    assert not any(word.encode() in file.read_bytes() for file in files for word in clear)
    profiles.delete("anna")
    assert profiles.list_names() == []
    with pytest.raises(NoSuchProfile, match="no profile 'anna'"):
        profiles.load("anna")


def test_an_update_keeps_other_sites(url: str, tmp_path: Path) -> None:
    profiles = Profiles(url, write_keys(tmp_path / "keys", make_key()))
    profiles.save("anna", STATE)
    profiles.update("anna", BrowserState(), Reach(allow=("shop.example",)))
    assert profiles.load("anna").domains == ("bank.example",)
    profiles.update("new", STATE, Reach(allow=("shop.example",)))
    assert profiles.load("new").domains == ("shop.example",)


def test_a_new_key_reads_what_an_old_one_wrote_and_no_other_does(
    tmp_path: Path,
) -> None:
    first, second, third = make_key(), make_key(), make_key()
    url = str(tmp_path / "run")
    Profiles(url, write_keys(tmp_path / "a", first)).save("anna", STATE)
    assert Profiles(url, write_keys(tmp_path / "b", second, first)).load("anna") == STATE
    stranger = Profiles(url, write_keys(tmp_path / "c", third))
    with pytest.raises(ProfileError, match="another key") as caught:
        stranger.load("anna")
    assert "s3cret" not in str(caught.value)
    assert stranger.list_names() == ["anna"]


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    profiles = Profiles(str(tmp_path), write_keys(tmp_path / "keys", make_key()))
    profiles.save("anna", STATE)
    file = tmp_path / "profiles" / "anna.bin"
    content = bytearray(file.read_bytes())
    content[60] ^= 1
    file.write_bytes(content)
    with pytest.raises(ProfileError, match="changed"):
        profiles.load("anna")


def test_keys_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="deskhand profiles key"):
        Profiles(str(tmp_path), None).save("anna", STATE)
    file = write_keys(tmp_path / "keys", "not a key")
    with pytest.raises(ProfileError, match="no key"):
        Profiles(str(tmp_path), file).check()
    file = write_keys(tmp_path / "open", make_key())
    file.chmod(0o644)
    with pytest.raises(ProfileError, match="others may read"):
        Profiles(str(tmp_path), file).check()
    profiles = Profiles(str(tmp_path), write_keys(tmp_path / "good", make_key()))
    for name in ("../x", "", "A", "x/y"):
        with pytest.raises(NoSuchProfile):
            profiles.save(name, STATE)
