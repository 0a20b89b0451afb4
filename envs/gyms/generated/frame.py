"""What surrounds every screen: navigation, message, the user, what covers the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from envs.gyms.generated.schema import AppSchema, Look
from envs.gyms.generated.screens import Control, FormView, Link
from envs.gyms.generated.site import Site, make_title
from envs.gyms.kit import disturbances
from envs.gyms.kit.html import Child
from envs.gyms.kit.page_frame import take_message
from envs.gyms.kit.request import RequestContext


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """`places`: where the navigation leads; `finder`: the search across entities, where the app
    has one on each page. `request` is for what the kit draws by itself."""

    look: Look
    title: str
    owner: str
    user: str
    home: Link
    places: tuple[Link, ...]
    menu: str
    finder: FormView | None
    message: Child
    request: RequestContext[Any]


def make_frame(schema: AppSchema, request: RequestContext[Any]) -> Frame:
    """Takes the waiting message."""
    site = Site(schema, request)
    look = schema.look
    places = [Link(make_title(entity), request.url(f"/{entity.key}")) for entity in schema.entities]
    return Frame(
        look=look,
        title=schema.title,
        owner=request.world.name,
        user=request.world.user.name,
        home=Link(look.words["home"], request.url("/")),
        places=tuple(places) if look.navigation not in ("tiles", "search") else (),
        menu=look.words["menu"],
        finder=_make_finder(site) if look.navigation == "search" else None,
        message=take_message(request),
        request=request,
    )


def _make_finder(site: Site) -> FormView:
    word = site.schema.look.words["everywhere"]
    return FormView(
        action=site.request.url("/find"),
        controls=(Control(name="q", label=word, value=site.request.query.get("q", "")),),
        submit="Go to it",
        is_query=True,
    )


def get_cover(frame: Frame) -> tuple[str, str] | None:
    """Text and button of what covers the page, see `disturbances.py`; None for nothing."""
    if frame.request.overlay == "banner":
        return "This site uses cookies.", disturbances.ACCEPT
    if frame.request.overlay == "offer":
        return "Try the new mobile app today!", disturbances.NO_THANKS
    return None
