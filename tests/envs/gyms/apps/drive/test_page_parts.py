"""What several of the drive's pages show."""

from __future__ import annotations

from envs.gyms.apps.drive import page_parts
from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.apps.drive.lookup import list_active_items
from envs.gyms.apps.drive.vocabulary import KINDS
from envs.gyms.server.gym import State
from tests.envs.gyms.apps.app_requests import make_request, text_of


def test_namesakes_on_a_list_are_told_by_their_folders() -> None:
    request = make_request(DRIVE)
    items = list_active_items(request.state)
    names = [item["name"].casefold() for item in items]
    twins = [item for item in items if names.count(item["name"].casefold()) == 2]
    html = page_parts.make_listing(request, twins).render(request, twins)
    assert html.count(f'aria-label="{twins[0]["name"]} in My Drive / ') >= 1


def test_the_default_order_of_a_list() -> None:
    request = make_request(DRIVE)
    items = [item for item in request.state["files"] if not item["trashed"]]
    listing = page_parts.make_listing(request, items, "Largest")
    largest = max(items, key=lambda item: item["size"])
    assert listing.find_matching(request, items)[0] is largest
    request.query["sort"] = "Smallest"
    assert listing.find_matching(request, items)[-1] is largest


def test_paths_sizes_and_days(drive: State) -> None:
    request = make_request(DRIVE, state=drive)
    file, folder = drive["files"][0], drive["folders"][1]
    assert text_of(page_parts.breadcrumbs(request, file)) == "My Drive / Plans / mine"
    assert page_parts.format_size(file) == "10 KB"
    assert page_parts.format_size(folder) == "-"
    assert page_parts.format_day(request, "") == "-"


def test_colleagues_are_sorted_and_without_the_owner() -> None:
    request = make_request(DRIVE)
    file = request.state["files"][0]
    colleagues = page_parts.list_colleagues(request, file)
    names = [name for _, name in colleagues]
    assert names == sorted(names)
    assert file["owner"] not in dict(colleagues)


def test_a_right_click_offers_what_the_user_may_do() -> None:
    request = make_request(DRIVE)
    user = request.world.user.id
    items = [file for file in request.state["files"] if not file["trashed"]]
    own = next(file for file in items if file["owner"] == user)
    html = page_parts.make_listing(request, [own]).render(request, [own])
    assert f"[&#34;Move&#34;,&#34;/drive/items/{own['id']}/move&#34;]" in html
    other = own | {"owner": "nobody", "shares": []}
    row_menu = page_parts.make_listing(request, items).row_menu
    assert row_menu is not None
    assert [text for text, _ in row_menu(other)] == [
        "Open",
        "Rename",
        "Sharing",
        "Versions",
        "Comments",
    ]


def test_every_kind_of_file_has_a_preview() -> None:
    for kind in KINDS:
        assert f'class="preview {kind.lower()}"' in page_parts.render_preview({"kind": kind})
