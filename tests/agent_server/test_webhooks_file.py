from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from agent_server.private_file import PrivateFileError
from agent_server.webhooks_file import decode_key, load_webhooks
from tests.agent_server.test_private_file import make_file

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
FILE = f"""
[targets.ops]
url = "https://ops.example/hook"
secret = "{SECRET}"
all = true
[tasks]
secret = "{SECRET}"
allow = ["hooks.example"]
"""


def test_a_target_has_a_name_and_a_task_s_address_is_of_its_domains(tmp_path: Path) -> None:
    webhooks = load_webhooks(make_file(tmp_path, FILE))
    assert webhooks.find("ops").url == "https://ops.example/hook"
    assert webhooks.find("https://a.hooks.example/x").url == "https://a.hooks.example/x"
    assert webhooks.for_all == ("ops",)
    assert SECRET not in repr(webhooks)


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("other", "there is no webhook other; there are: ops"),
        ("http://hooks.example/", "begins with https://"),
        ("https://evil.example/", "on no domain of hooks.example"),
        ("https://hooks.example.evil.example/", "on no domain of hooks.example"),
        ("https://hooks.example@evil.example/", "on no domain of hooks.example"),
        ("https://127.0.0.1/", "on no domain of hooks.example"),
    ],
)
def test_what_is_not_named_is_refused(tmp_path: Path, named: str, says: str) -> None:
    with pytest.raises(KeyError) as caught:
        load_webhooks(make_file(tmp_path, FILE)).find(named)
    assert says in caught.value.args[0]


@pytest.mark.parametrize(
    "address", ["https://me:pw@a.example/", "https://", "https://a.example:0/", "https://[::1"]
)
def test_what_is_no_address_is_refused(tmp_path: Path, address: str) -> None:
    file = FILE.replace('allow = ["hooks.example"]', "")
    with pytest.raises(KeyError, match="no address"):
        load_webhooks(make_file(tmp_path, file)).find(address)


def test_without_the_operator_s_word_tasks_bring_no_addresses() -> None:
    with pytest.raises(KeyError, match=r"no table \[tasks\]"):
        load_webhooks(None).find("https://hooks.example/")


@pytest.mark.parametrize("secret", ["hunter-22", "whsec_aHVudGVyLTIy", "whsec_!"])
def test_a_weak_secret_is_refused_and_not_repeated(tmp_path: Path, secret: str) -> None:
    with pytest.raises(PrivateFileError) as caught:
        load_webhooks(make_file(tmp_path, FILE.replace(SECRET, secret)))
    assert secret not in str(caught.value).replace("whsec_ and", "")
    with pytest.raises(ValueError, match="whsec_"):
        decode_key(SecretStr(secret))
