"""What the shop's pages share: tiles of products, drop-downs, radio buttons, forms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from envs.gyms.apps.shop.catalogue import Catalogue, Product
from envs.gyms.apps.shop.pictures import picture, stars
from envs.gyms.kit.disturbances import get_label
from envs.gyms.kit.html import Child, el
from envs.gyms.kit.request import RequestContext

ShopRequest = RequestContext[Catalogue]


def post_form(
    request: ShopRequest, action: str, *body: Child | Iterable[Child], **attributes: Any
) -> Markup:
    """A form to <its page>/<verb>, with the token that shows where it comes from."""
    token = el("input", type="hidden", name="token", value=request.visit.token(action))
    return el("form", token, *body, method="post", action=action, **attributes)


def submit(
    request: ShopRequest, text: str, *, label: str | None = None, is_main: bool = False
) -> Markup:
    """The button that sends its form; `label` is its name where the text is not unique."""
    return el(
        "button",
        get_label(request, text),
        class_="main" if is_main else None,
        aria_label=label and get_label(request, label),
    )


def hidden_input(name: str, value: str) -> Markup:
    """A field of a form that is not shown."""
    return el("input", type="hidden", name=name, value=value)


def tiles(products: Sequence[Product], variant: str = "") -> Markup:
    """Products as links; `variant` is a query that chooses color and size on their pages."""
    return el("div", [_tile(product, variant) for product in products], class_="tiles")


def _tile(product: Product, variant: str) -> Markup:
    return el(
        "a",
        picture(product),
        el("span", product.name, stars(product), class_="name"),
        " ",
        el("span", product.price_text, class_="price"),
        class_="tile",
        href=f"/shop/p/{product.id}{variant}",
    )


def dropdown(
    label: str, name: str, options: Sequence[str], chosen: str, empty: str | None = None
) -> Markup:
    """A labelled drop-down; `empty` is the text of an option without a value before the others."""
    entries = [el("option", option, selected=option == chosen) for option in options]
    if empty is not None:
        entries.insert(0, el("option", empty, selected=not chosen, value=""))
    return el("label", f"{label} ", el("select", entries, name=name), class_="field")


def radio_buttons(label: str, name: str, options: Sequence[str], chosen: str) -> Markup:
    """A labelled group of radio buttons."""
    return el("fieldset", el("legend", label), [_radio(name, o, o == chosen) for o in options])


def _radio(name: str, option: str, is_chosen: bool) -> Markup:
    button = el("input", type="radio", name=name, value=option, checked=is_chosen)
    return el("label", button, option)
