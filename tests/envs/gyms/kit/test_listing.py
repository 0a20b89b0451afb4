"""Lists follow the address."""

from __future__ import annotations

from dataclasses import replace

from envs.gyms.apps.billing.app import BILLING
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from tests.envs.gyms.apps.app_requests import make_request, text_of

ITEMS = [{"name": f"Item {n:02d}", "kind": "odd" if n % 2 else "even"} for n in range(30)]
LISTING = Listing(
    columns=(Column("Name", lambda item: item["name"]),),
    searchable_text=lambda item: item["name"],
    sorts=(
        Sort("Name", lambda item: item["name"]),
        Sort("Last", lambda item: item["name"], descending=True),
    ),
    filters=(
        Filter("kind", "Kind", options=("odd", "even"), get_option=lambda item: item["kind"]),
    ),
)


def test_words_filters_and_sort_come_from_the_address() -> None:
    query = {"q": "item 2", "kind": "odd", "sort": "Last"}
    matches = LISTING.find_matching(make_request(BILLING, query=query), ITEMS)
    assert [item["name"][-2:] for item in matches] == ["29", "27", "25", "23", "21"]


def test_a_page_beyond_the_last_shows_the_last() -> None:
    request = make_request(BILLING, query={"page": "99"})
    size = request.appearance.page_size
    last = -(-len(ITEMS) // size)
    text = text_of(LISTING.render(request, ITEMS))
    assert f"30 found, sorted by Name Name Item {(last - 1) * size:02d}" in text
    assert f"Page {last} of {last}" in text
    assert "Nothing here" in text_of(LISTING.render(request, []))


def test_rows_and_columns_have_names_for_style_sheets() -> None:
    listing = replace(
        LISTING,
        columns=(Column("Name", lambda item: item["name"], "name"),),
        row_style=lambda item: item["kind"],
        row_menu=lambda item: [("Open", f"/{item['name']}")],
    )
    html = listing.render(make_request(BILLING), ITEMS[:1])
    assert '<th class="name">Name</th>' in html
    assert '<tr class="even" data-context="[[&#34;Open&#34;,&#34;/Item 00&#34;]]">' in html
