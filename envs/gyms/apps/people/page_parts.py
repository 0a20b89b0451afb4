"""What several of the portal's pages show: people, as links and as options."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.kit.html import el, get_initials
from envs.gyms.kit.listing import Item
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import RequestContext


def get_person_of(request: RequestContext, item: Item) -> Item:
    """The person that a record belongs to."""
    return get_record(request.state, "staff", item["person"])


def link_person(request: RequestContext, person: Item) -> Markup:
    """The name, as a link to the person's page."""
    name = person["name"]
    return el(
        "a",
        name,
        href=request.url(f"/staff/{person['id']}"),
        class_="face",
        data_initials=get_initials(name),
    )


def list_people_options(request: RequestContext) -> list[tuple[str, str]]:
    """Ids and names of all people, by name."""
    return sorted(((p["id"], p["name"]) for p in request.state["staff"]), key=lambda pair: pair[1])
