"""What the site of a world says."""

from __future__ import annotations

from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.wordpress.content import DRAFTS, PUBLISHED, ROLES, TRASHED, make_site, slug_of
from envs.gyms.kit.company import get_company


def test_a_seed_always_makes_the_same_site() -> None:
    for base in SPLIT_BASES.values():
        first, second = (make_site(get_company(base + 4)) for _ in range(2))
        assert first == second


def test_posts_have_titles_of_their_own_and_every_commenter_wrote_once() -> None:
    site = make_site(get_company(4))
    counts = [len(site.titles(status)) for status in ("publish", "draft", "trash")]
    assert counts == [PUBLISHED, DRAFTS, TRASHED]
    titles = [post.title for post in site.posts]
    authors = [comment.author for comment in site.comments]
    assert len(set(titles)) == len(titles)
    assert len(set(authors)) == len(authors)
    assert {comment.post for comment in site.comments} <= set(site.titles("publish"))
    assert set(site.roles.values()) == set(ROLES)
    assert not any(firm.name in title for firm in site.unnamed for title in titles)


def test_an_address_is_made_of_a_title() -> None:
    assert slug_of("Our fair in St. Gall: news, and  more") == "our-fair-in-st-gall-news-and-more"
    assert slug_of("A / B - C!") == "a-b-c"
