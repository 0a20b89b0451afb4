"""Pages on who may see a file."""

from __future__ import annotations

import pytest

from envs.gyms.apps.drive import pages_sharing as pages
from envs.gyms.apps.drive.app import DRIVE
from envs.gyms.kit.listing import Item
from envs.gyms.kit.request import RequestContext
from envs.gyms.server.gym import NotFound, Refused
from tests.envs.gyms.apps.app_requests import make_request, text_of


def request_with(**form: str) -> tuple[RequestContext, Item]:
    """A request that sends a form, and a file that the user shares."""
    request = make_request(DRIVE, form=form)
    user = request.world.user.id
    files = [f for f in request.state["files"] if f["owner"] == user and not f["trashed"]]
    return request, next(f for f in files if f["shares"])


def test_editors_get_forms_and_readers_a_note() -> None:
    request, file = request_with()
    assert "Share with a person" in text_of(pages.show_sharing(request, file["id"]))
    user = request.world.user.id
    shares = [{"id": user, "role": "Viewer"}]
    foreign = next(f for f in request.state["files"] if f["shares"] == shares)
    text = text_of(pages.show_sharing(request, foreign["id"]))
    assert "Only editors and the owner can change this" in text


def test_shares_by_form() -> None:
    request, file = request_with(role="Commenter")
    taken = {file["owner"], *(share["id"] for share in file["shares"])}
    colleague = next(person.id for person in request.world.people if person.id not in taken)
    request.form["person"] = colleague
    pages.add_share(request, file["id"])
    assert file["shares"][-1] == {"id": colleague, "role": "Commenter"}
    assert "Role now Commenter" in text_of(pages.show_access(request, file["id"], colleague))
    request.form["role"] = "Editor"
    pages.save_role(request, file["id"], colleague)
    assert file["shares"][-1]["role"] == "Editor"
    pages.stop_access(request, file["id"], colleague)
    with pytest.raises(NotFound, match="not shared"):
        pages.show_access(request, file["id"], colleague)


def test_link_access_with_and_without_an_end() -> None:
    request, file = request_with(link="View", until="2099-01-01")
    pages.save_link_access(request, file["id"])
    assert (file["link"], file["until"]) == ("View", "2099-01-01")
    request.form["until"] = " "
    pages.save_link_access(request, file["id"])
    assert file["until"] == ""
    request.form["until"] = "soon"
    with pytest.raises(Refused, match="Ends on must be a date"):
        pages.save_link_access(request, file["id"])


def test_a_transfer_asks_for_confirmation_first() -> None:
    request, file = request_with()
    share = file["shares"][0]["id"]
    assert "Yes, transfer" not in text_of(pages.show_transfer(request, file["id"]))
    request.query["to"] = share
    assert "Yes, transfer" in text_of(pages.show_transfer(request, file["id"]))
    request.form["to"] = share
    pages.save_transfer(request, file["id"])
    assert file["owner"] == share
    assert "Only the owner can transfer it" in text_of(pages.show_transfer(request, file["id"]))
