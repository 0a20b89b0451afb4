"""Which hosts an entry of a task's domains stands for."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from envs.contract.domains import is_allowed, is_url_allowed
from envs.contract.task import Task

ALLOW = ("shop.example", "intranet.test:8443")


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("shop.example", 443),
        ("shop.example", 80),
        ("www.shop.example", 443),
        ("SHOP.Example", 443),
        ("intranet.test", 8443),
    ],
)
def test_a_domain_stands_for_itself_and_what_is_below(host: str, port: int) -> None:
    assert is_allowed(host, port, ALLOW)


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("shop.example", 8080),
        ("shop.example", 22),
        ("intranet.test", 443),
        ("evilshop.example", 443),
        ("shop.example.evil.test", 443),
        ("example", 443),
        ("93.184.216.34", 443),
        ("2130706433", 80),
        ("0x7f.1", 80),
        ("localhost", 80),
        ("[::1]", 80),
        ("::ffff:127.0.0.1", 80),
        ("", 443),
        ("shop.example\x00.evil.test", 443),
        ("shop.example/", 443),
        ("shop.example@evil.test", 443),
        ("evil.test#.shop.example", 443),
        ("evil_test.shop.example", 443),
        (".shop.example", 443),
        ("shop.example.", 443),
    ],
)
def test_other_hosts_and_ports_are_not_allowed(host: str, port: int) -> None:
    assert not is_allowed(host, port, ALLOW)


def test_urls_are_read_as_browsers_read_them() -> None:
    assert is_url_allowed("https://shop.example/cart?x=1", ALLOW)
    assert is_url_allowed("https://intranet.test:8443/", ALLOW)
    assert not is_url_allowed("https://shop.example:99999/", ALLOW)
    assert not is_url_allowed("https://evil.test/?shop.example", ALLOW)


@pytest.mark.parametrize(
    "entry", ["com", "127.0.0.1", "*.shop.example", "http://shop.example", "Shop.example", "a.b:0"]
)
def test_an_entry_that_is_no_domain_is_refused(entry: str) -> None:
    with pytest.raises(ValidationError, match="allow"):
        Task(id="t", instruction="x", allow=(entry,))
