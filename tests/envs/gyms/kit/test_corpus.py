"""The text of the apps that tokenizers are trained on."""

from __future__ import annotations

from envs.gyms.apps.billing.app import BILLING
from envs.gyms.apps.shop.app import SHOP
from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.kit.company import get_company
from envs.gyms.kit.corpus import FIXED, make_corpus_lines


def test_lines_are_the_kit_s_the_navigation_s_and_the_state_s() -> None:
    lines = make_corpus_lines((BILLING,), get_company(1))
    assert lines[: len(FIXED)] == list(FIXED)
    assert "link Invoices" in lines
    assert f"text {get_company(1).firms[0].name}" in lines


def test_an_app_with_its_own_corpus_needs_no_more() -> None:
    world = get_catalogue(1)
    assert SHOP.make_corpus is not None
    assert make_corpus_lines((SHOP,), world) == SHOP.make_corpus(world)
