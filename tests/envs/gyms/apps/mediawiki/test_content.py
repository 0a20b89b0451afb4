"""What the handbook of a world says."""

from __future__ import annotations

from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.mediawiki.content import CLIENTS, make_handbook
from envs.gyms.kit.company import get_company


def test_a_seed_always_makes_the_same_handbook() -> None:
    for base in SPLIT_BASES.values():
        first, second = (make_handbook(get_company(base + 4)) for _ in range(2))
        assert first == second


def test_deleted_pages_are_gone_and_spoilt_ones_have_a_version_before() -> None:
    book = make_handbook(get_company(4))
    assert not set(book.deleted) & set(book.texts)
    assert len(book.clients) == CLIENTS
    for title in book.vandalised:
        versions = [entry for entry in book.revisions if entry.title == title]
        assert len(versions) == 2
        assert versions[0].text != versions[1].text
        assert book.last_editor(title) == versions[1].by
    ages = [entry.hours_ago for entry in book.revisions]
    assert ages == sorted(ages, reverse=True)
