"""Forms that rename, move, copy and describe."""

from __future__ import annotations

import pytest

from envs.gyms.apps.drive import pages_editing as pages
from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.apps.drive.lookup import get_file
from envs.gyms.kit.request import RequestContext
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import make_request, text_of


def request_with(**form: str) -> tuple[RequestContext, str]:
    """A request that sends a form, and a file that the user owns."""
    request = make_request(DRIVE, form=form)
    user = request.world.user.id
    files = request.state["files"]
    return request, next(f["id"] for f in files if f["owner"] == user and not f["trashed"])


def test_names_come_from_the_form() -> None:
    request, key = request_with(name="  A  new   name ")
    assert "Save name" in text_of(pages.show_rename_form(request, key))
    pages.save_name(request, key)
    assert get_file(request.state, key)["name"] == "A new name"
    request, key = request_with(name=" ")
    with pytest.raises(Refused, match="Name is required"):
        pages.save_name(request, key)


def test_folders_are_offered_by_their_paths() -> None:
    request, key = request_with(folder="root")
    assert "My Drive / Finance / Taxes" in text_of(pages.show_move_form(request, key))
    pages.save_move(request, key)
    assert get_file(request.state, key)["folder"] == "root"


def test_copies_and_descriptions() -> None:
    request, key = request_with(name="Twin", folder="root", text="Two\nlines")
    assert "Create copy" in text_of(pages.show_copy_form(request, key))
    made = pages.create_copy(request, key).path.rpartition("/")[2]
    assert get_file(request.state, made)["name"] == "Twin"
    assert "Save description" in text_of(pages.show_description_form(request, key))
    pages.save_description(request, key)
    assert get_file(request.state, key)["description"] == "Two lines"


def test_a_new_folder_in_a_folder() -> None:
    request, _ = request_with(name="Handover")
    assert "New folder in My Drive" in text_of(pages.show_folder_form(request, "root"))
    made = pages.create_folder(request, "root").path.rpartition("/")[2]
    assert request.state["folders"][-1] == {
        "id": made,
        "name": "Handover",
        "parent": "root",
        "owner": request.world.user.id,
        "trashed": "",
    }
