"""When two addresses are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.osworld.outside.published.addresses import same_address, same_address_compat, site


@pytest.mark.parametrize(
    ("first", "other", "same"),
    [
        ("https://www.drugs.com/npc/", "https://drugs.com/npc/", True),
        ("https://www.airbnb.com", "https://airbnb.co.uk/", True),
        ("drugs.com", "http://drugs.com/", True),
        ("HTTPS://Drugs.com/", "https://drugs.com", True),
        ("https://m.drugs.com", "https://drugs.com", False),
        ("https://drugs.com/a", "https://drugs.com/a/", False),
        ("https://drugs.com/?a", "https://drugs.com/", False),
        ("https://drugs.com/#a", "https://drugs.com/", False),
        ("chrome://settings/", "chrome://settings", True),
        ("chrome://settings", "chrome://history", False),
        ("http://localhost:8000", "http://localhost:9000", False),
        ("http://[", "http://[", True),
        ("http://[", "https://drugs.com", False),
    ],
)
def test_addresses_of_one_page(first: str, other: str, same: bool) -> None:
    assert same_address(first, other) is same
    assert same_address(other, first) is same


@given(st.text(), st.text())
def test_any_texts_can_be_compared(first: str, other: str) -> None:
    assert same_address(first, first)
    assert same_address(first, other) == same_address(other, first)


def test_ports_and_nonsense_upstream() -> None:
    assert same_address_compat("http://localhost:8000", "http://localhost:9000")
    with pytest.raises(ValueError, match="IPv6"):
        same_address_compat("http://[", "http://a.org")


def test_a_site_has_no_ending() -> None:
    assert [site(host) for host in ("www.example.co.uk", "mail.example.org", "localhost")] == [
        "example",
        "mail.example",
        "localhost",
    ]
