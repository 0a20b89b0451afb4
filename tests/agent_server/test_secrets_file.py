"""The operator's file of secrets: what is wrong with it is said, and no value with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.secrets_file import SecretsFileError, choose_secrets, load_secrets

GOOD = '[shop_password]\nvalue = "hunter-22"\nallow = ["shop.example"]\n'


def write(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "secrets.toml"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_secrets_are_loaded_by_name(tmp_path: Path) -> None:
    secrets = load_secrets(write(tmp_path, GOOD))
    assert secrets["shop_password"].value.get_secret_value() == "hunter-22"
    assert load_secrets(None) == {}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(SecretsFileError, match="chmod 600"):
        load_secrets(write(tmp_path, GOOD, mode))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[shop_password]\nvalue = 'hunter-22'\n", r"shop_password\.allow: Field required"),
        (GOOD.replace("shop_p", "Shop P"), "Expected|Invalid"),
        (GOOD.replace("[shop_password]", "[ShopPassword]"), "ShopPassword"),
        (GOOD.replace("hunter-22", "hun"), "4 to 128 characters"),
        (GOOD.replace("shop.example", "*"), "neither a domain"),
        (GOOD + 'note = "hunter-22"\n', r"note: Extra inputs"),
    ],
)
def test_errors_name_the_key_and_no_value(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(SecretsFileError, match=says) as refused:
        load_secrets(write(tmp_path, text))
    assert "hunter" not in str(refused.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SecretsFileError, match=r"none\.toml"):
        load_secrets(tmp_path / "none.toml")


def test_a_task_gets_only_what_it_names(tmp_path: Path) -> None:
    known = load_secrets(write(tmp_path, GOOD + GOOD.replace("shop_", "bank_")))
    assert list(choose_secrets(known, ["bank_password"])) == ["bank_password"]
    with pytest.raises(KeyError, match="there is no secret other; there are: shop_password, bank_"):
        choose_secrets(known, ["other"])
