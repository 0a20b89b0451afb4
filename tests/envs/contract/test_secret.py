"""A secret names its sites; what it holds is in no error and no representation."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from envs.contract.secret import Secret, describe_secrets
from envs.contract.task import Task


def make_secret(value: str = "hunter-22", *allow: str) -> Secret:
    return Secret.model_validate({"value": value, "allow": allow or ("shop.example",)})


@pytest.mark.parametrize(
    ("origin", "is_for"),
    [
        ("https://shop.example", True),
        ("https://pay.shop.example", True),
        ("https://shop.example.evil.test", False),
        ("https://evilshop.example", False),
        ("https://shop.example:8443", False),
        ("http://127.0.0.1:3000", True),
        ("http://127.0.0.1:3001", False),
        ("null", False),
        ("", False),
    ],
)
def test_a_secret_is_for_its_sites_only(origin: str, is_for: bool) -> None:
    secret = make_secret("hunter-22", "shop.example", "http://127.0.0.1:3000/")
    assert secret.is_for(origin) is is_for


@pytest.mark.parametrize("value", ["abc", "x" * 129, " lead", "two  blanks", "a\nb", "{secret:a}!"])
def test_a_value_that_could_not_be_found_again_is_refused_and_not_repeated(value: str) -> None:
    with pytest.raises(ValidationError) as refused:
        make_secret(value)
    assert value not in str(refused.value)


@pytest.mark.parametrize("site", ["*", "shop", "file:///etc", "https://shop.example", "1.2.3.4"])
def test_a_site_is_a_domain_or_an_address_of_this_machine(site: str) -> None:
    with pytest.raises(ValidationError):
        make_secret("hunter-22", site)


def test_the_value_is_in_no_representation() -> None:
    secret = make_secret()
    assert "hunter" not in f"{secret} {secret!r} {secret.model_dump()} {secret.model_dump_json()}"


def test_the_agent_is_told_names() -> None:
    assert "{secret:shop_password}" in describe_secrets(["shop_password"])


@pytest.mark.parametrize(
    "more", [{"env": "desktop"}, {"gym": "shop", "template": "price"}, {"evaluator": {"func": "x"}}]
)
def test_secrets_go_with_tasks_in_the_browser_that_nothing_judges(more: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="nothing judges"):
        Task.model_validate({"id": "t", "instruction": "i", "secrets": ["shop_password"], **more})
