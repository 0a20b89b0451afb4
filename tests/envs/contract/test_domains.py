"""Which hosts an entry of a task's domains stands for."""

from __future__ import annotations

import re

import pytest
from pydantic import ValidationError

from envs.contract.domains import check_start, is_allowed, is_url_allowed
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


@pytest.mark.parametrize(
    ("url", "allow"),
    [
        ("http://127.0.0.1:3000/page", ()),
        ("http://localhost/", ()),
        ("https://www.shop.example/", ALLOW),
    ],
)
def test_a_task_starts_on_a_site_of_this_machine_or_on_a_domain(
    url: str, allow: tuple[str, ...]
) -> None:
    check_start(url, allow, own_port=8000)


@pytest.mark.parametrize(
    ("url", "allow", "sentence"),
    [
        ("http://169.254.169.254/latest/meta-data/", (), "169.254.169.254 is not opened"),
        ("http://10.0.0.5/", (), "is not opened"),
        ("http://[::1]:3000/", (), "is not opened"),
        ("http://0.0.0.0:3000/", (), "is not opened"),
        ("http://2130706433/", (), "is not opened"),
        ("http://metadata/", (), "is not opened"),
        ("http://169.254.169.254/", ALLOW, "on no domain of allow"),
        ("https://shop.example/", (), "name its domain in allow"),
        ("http://127.0.0.1:8000/console/", (), "port 8000 is Deskhand's own"),
        ("http://LOCALHOST:8000/", (), "port 8000 is Deskhand's own"),
        ("http://127.0.0.1:99999/", (), "no address of a site"),
    ],
)
def test_a_task_starts_nowhere_else(url: str, allow: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"start_url.*{re.escape(sentence)}"):
        check_start(url, allow, own_port=8000)
