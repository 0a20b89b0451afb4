"""The page around the shop's content, in three layouts: header, search, message, disturbances."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from envs.gyms.apps.shop.widgets import ShopRequest, submit
from envs.gyms.kit.html import Child, el, join, link
from envs.gyms.kit.page_frame import (
    OVERLAY_STYLE,
    SCRIPT,
    make_head,
    render_overlay,
    take_message,
)
from envs.gyms.kit.style import make_style

_ASSETS = Path(__file__).parent / "assets"
_SCRIPT = Markup(SCRIPT + (_ASSETS / "shop.js").read_text())
ORDERS, WISH_LIST = link("Orders", "/shop/orders"), link("Wish list", "/shop/wishlist")
ADDRESSES, ACCOUNT = link("Addresses", "/shop/addresses"), link("Account", "/shop/account")


@lru_cache(maxsize=16)
def _make_shop_style(theme: int, layout: int) -> Markup:
    sheets = [
        (_ASSETS / name).read_text() for name in ("base.css", f"layout{layout}.css", "phone.css")
    ]
    return make_style(theme, *sheets, OVERLAY_STYLE)


def render_page(request: ShopRequest, title: str, *body: Child, search_text: str = "") -> str:
    """A whole page; takes the waiting message. `search_text` is what the search box holds."""
    appearance = request.appearance
    message = take_message(request)
    head = make_head(title, _make_shop_style(appearance.theme, appearance.layout))
    flash = el("p", message, class_="flash", role="status") if message else None
    content = el(
        "body",
        el("header", _HEADERS[appearance.layout](request, search_text)),
        el("main", flash, body),
        render_overlay(request),
        el("script", _SCRIPT),
        class_=f"l{appearance.layout}",
    )
    return Markup("<!doctype html>") + el("html", head, content, lang="en")


def render_not_found(request: ShopRequest, message: str) -> str:
    """The page for a path or a record that is not there."""
    back = link("Back to the home page", "/shop/")
    return render_page(request, "Not found", el("h1", "Not found"), el("p", message), back)


def _render_plain_header(request: ShopRequest, search_text: str) -> Markup:
    search = _search_box(request, search_text, "Go")
    return join((_home(request), search, _cart(request), ACCOUNT))


def _render_menu_header(request: ShopRequest, search_text: str) -> Markup:
    opener = el("button", "Menu", type="button", data_menu="menu", aria_expanded="false")
    places = el("nav", ORDERS, WISH_LIST, ADDRESSES, ACCOUNT, id="menu", hidden=True)
    menu = el("div", opener, places, class_="menu")
    search = _search_box(request, search_text, None)
    return join((menu, _home(request), search, _cart(request)))


def _render_wide_header(request: ShopRequest, search_text: str) -> Markup:
    places = el("nav", ORDERS, WISH_LIST, ACCOUNT)
    search = _search_box(request, search_text, "Find")
    return join((_home(request), places, _cart(request), search))


_HEADERS = (_render_plain_header, _render_menu_header, _render_wide_header)


def _home(request: ShopRequest) -> Markup:
    return el("a", request.world.name, class_="home", href="/shop/")


def _cart(request: ShopRequest) -> Markup:
    count = sum(line["qty"] for line in request.state["cart"])
    return el("a", f"Cart ({count})", class_="cart", href="/shop/cart")


def _search_box(request: ShopRequest, text: str, button: str | None) -> Markup:
    box = el("input", name="q", aria_label="Search", value=text, autocomplete="off")
    send = submit(request, button) if button else None
    return el("form", box, send, action="/shop/search", class_="search")
