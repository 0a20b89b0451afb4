"""What surrounds every screen: navigation, message, the user, what covers the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from envs.gyms.generated.pictures import make_picture
from envs.gyms.generated.schema import AppSchema, Look
from envs.gyms.generated.screens import Control, FormView, Link
from envs.gyms.generated.site import Site, make_title
from envs.gyms.kit import disturbances
from envs.gyms.kit.html import Child
from envs.gyms.kit.page_frame import take_message
from envs.gyms.kit.request import RequestContext
from envs.gyms.server.themes import DARK


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """`places`: where the navigation leads; `finder`: the search across entities, where the app
    has one on each page; `picture`: see `pictures.py`. `request` is for what the kit draws by
    itself."""

    look: Look
    title: str
    owner: str
    user: str
    home: Link
    places: tuple[Link, ...]
    menu: str
    finder: FormView | None
    message: Child
    picture: Markup
    request: RequestContext[Any]

    def find_place(self) -> Link | None:
        """The place of the navigation that the page belongs to. The front page is the first."""
        path = self.request.path
        for place in self.places:
            if path == place.href or path.startswith(f"{place.href}/"):
                return place
        return self.places[0] if self.places and path == self.home.href else None


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
        picture=make_picture(schema.domain, is_dark=look.theme == DARK),
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
