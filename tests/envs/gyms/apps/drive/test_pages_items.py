"""The pages of one folder and of one file."""

from __future__ import annotations

from envs.gyms.apps.drive import pages_items as pages
from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.apps.drive.lookup import get_file
from envs.gyms.kit.request import RequestContext
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def own_file(request: RequestContext) -> str:
    user = request.world.user.id
    files = request.state["files"]
    return str(next(f["id"] for f in files if f["owner"] == user and not f["trashed"]))


def foreign_file(request: RequestContext) -> str:
    user = request.world.user.id
    shares = [{"id": user, "role": "Viewer"}]
    return str(next(f["id"] for f in request.state["files"] if f["shares"] == shares))


def test_the_top_folder() -> None:
    request = make_request(DRIVE)
    text = text_of(pages.show_my_drive(request))
    assert "New folder" in text
    assert "Clients" in text
    assert logged_events(request) == ["drive:folder:root"]


def test_actions_follow_from_the_role() -> None:
    request = make_request(DRIVE)
    key = own_file(request)
    own = text_of(pages.show_item(request, key))
    assert logged_events(request) == [f"drive:file:{key}"]
    assert "Your role Owner" in own
    assert "Move to trash" in own
    foreign = text_of(pages.show_item(request, foreign_file(request)))
    assert "Your role Viewer" in foreign
    assert "Move to trash" not in foreign
    assert "Make a copy" in foreign


def test_buttons_change_the_file() -> None:
    request = make_request(DRIVE)
    key = own_file(request)
    file = get_file(request.state, key)
    pages.star_item(request, key)
    assert file["starred"]
    pages.unstar_item(request, key)
    assert not file["starred"]
    assert pages.trash_item(request, key).path == f"/drive/items/{file['folder']}"
    assert "In the trash since" in text_of(pages.show_item(request, key))
    pages.restore_item(request, key)
    assert file["trashed"] == ""
    pages.trash_item(request, key)
    assert pages.delete_item(request, key).path == "/drive/trash"
    assert file not in request.state["files"]


def test_a_name_dropped_onto_a_folder_moves_it() -> None:
    request = make_request(DRIVE, form={"to": "root"})
    key = own_file(request)
    pages.drop_item(request, key)
    assert get_file(request.state, key)["folder"] == "root"
