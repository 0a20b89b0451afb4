"""The shop's pages of the account: orders, returns, addresses, the wish list."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.shop import rules
from envs.gyms.apps.shop.cart_pages import label_of
from envs.gyms.apps.shop.catalogue import Product, format_money
from envs.gyms.apps.shop.frame import ADDRESSES, ORDERS, WISH_LIST, render_page
from envs.gyms.apps.shop.names import REASONS
from envs.gyms.apps.shop.product_pages import variant_text
from envs.gyms.apps.shop.state import DELIVERED, PROCESSING, format_day
from envs.gyms.apps.shop.widgets import ShopRequest, dropdown, hidden_input, post_form, submit
from envs.gyms.kit.html import el, link
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import Item
from envs.gyms.kit.request import Redirect
from envs.gyms.server.gym import Refused

PAGES = PageGroup()


@PAGES.get("/account")
def account(request: ShopRequest) -> str:
    """The customer, and the way to the other pages of the account."""
    customer, payment = request.state["addresses"][0]["name"], request.state["payment"]
    return render_page(
        request,
        "Account",
        el("h1", "Account"),
        el("p", f"Hello {customer}, you pay by {payment}"),
        el("nav", ORDERS, ADDRESSES, WISH_LIST, class_="categories"),
    )


# Orders.


@PAGES.get("/orders")
def orders(request: ShopRequest) -> str:
    """All orders, the newest first."""
    request.log_event("orders")
    links = [
        link(
            f"Order {order['id']} {format_day(order['date'])} {order['status']}",
            f"/shop/orders/{order['id']}",
        )
        for order in request.state["orders"]
    ]
    rows = el("ul", [el("li", entry) for entry in links], class_="rows")
    return render_page(request, "Orders", el("h1", "Orders"), rows)


@PAGES.get("/orders/{number}")
def order_page(request: ShopRequest, number: str) -> str:
    """One order: its lines, and what can still be done about it."""
    order = rules.get_order(request.state, number)
    request.log_event(f"order:{number}")
    day, url = format_day(order["date"]), f"/shop/orders/{number}"
    lines = [_order_line(request, order, index) for index in range(len(order["lines"]))]
    cancel = link(f"Cancel order {number}", f"{url}/cancel")
    return render_page(
        request,
        "Order",
        el("h1", f"Order {number}"),
        el("p", f"{day}, {order['status']}, to {order['address']}"),
        el("ul", lines, class_="lines"),
        el("p", f"Total {format_money(order['total'])}", class_="total"),
        cancel if order["status"] == PROCESSING else None,
    )


def _order_line(request: ShopRequest, order: Item, index: int) -> Markup:
    line = order["lines"][index]
    name = request.world.by_id[line["product"]].name
    text = f"{index + 1}. {label_of(request, line)} {format_money(line['price'])}"
    quantity = (" ", el("span", f"quantity {line['qty']}")) if line["qty"] > 1 else None
    if line["returned"]:
        status = [" ", el("span", f"Return requested: {line['returned']}")]
    elif order["status"] == DELIVERED:
        status = [link(f"Return {name}", f"/shop/orders/{order['id']}/return/{line['id']}")]
    else:
        status = []
    return el("li", el("span", text), quantity, status)


@PAGES.get("/orders/{number}/cancel")
def cancel_page(request: ShopRequest, number: str) -> str:
    """The question before an order is cancelled."""
    order = rules.get_order(request.state, number)
    request.log_event(f"cancel:{number}")
    send = submit(request, "Confirm cancellation", is_main=True)
    return render_page(
        request,
        "Cancel order",
        el("h1", f"Cancel order {number}?"),
        el("p", f"Total {format_money(order['total'])}"),
        post_form(request, f"/shop/orders/{number}/cancel/confirm", send),
        link("Keep order", f"/shop/orders/{number}"),
    )


@PAGES.post("/orders/{number}/cancel/confirm")
def cancel_confirm(request: ShopRequest, number: str) -> Redirect:
    """Cancels the order."""
    rules.cancel_order(request.state, number)
    return Redirect(f"/shop/orders/{number}", f"Order cancelled: {number}")


@PAGES.get("/orders/{number}/return/{line}")
def return_page(request: ShopRequest, number: str, line: str) -> str:
    """The form that sends an item back."""
    entry = rules.get_order_line(rules.get_order(request.state, number), line)
    request.log_event(f"return:{number}:{line}")
    form = post_form(
        request,
        f"/shop/orders/{number}/return/{line}/send",
        dropdown("Reason", "reason", REASONS, request.draft.get("reason", ""), "Choose"),
        submit(request, "Request return", is_main=True),
        class_="stack",
    )
    return render_page(
        request,
        "Return item",
        el("h1", f"Return {request.world.by_id[entry['product']].name}"),
        el("p", f"Order {number}, {variant_text(entry)}"),
        form,
    )


@PAGES.post("/orders/{number}/return/{line}/send")
def return_send(request: ShopRequest, number: str, line: str) -> Redirect:
    """Requests the return."""
    rules.return_line(request.state, number, line, request.form.get("reason", ""))
    entry = rules.get_order_line(rules.get_order(request.state, number), line)
    name = request.world.by_id[entry["product"]].name
    return Redirect(f"/shop/orders/{number}", f"Return requested: {name}")


# Addresses.


@PAGES.get("/addresses")
def addresses(request: ShopRequest) -> str:
    """All addresses."""
    rows = [_address_row(address) for address in request.state["addresses"]]
    return render_page(request, "Addresses", el("h1", "Addresses"), el("ul", rows, class_="rows"))


def _address_row(address: Item) -> Markup:
    key, place = address["id"], f"{address['zip']} {address['city']}"
    text = f"{key}: {address['name']}, {address['street']}, {place}"
    return el("li", el("p", text), link(f"Edit {key}", f"/shop/addresses/{key}"))


@PAGES.get("/addresses/{key}")
def address_page(request: ShopRequest, key: str) -> str:
    """The form that changes an address."""
    address = rules.get_address(request.state, key)
    request.log_event(f"address:{key}")
    values = {**address, **request.draft}
    form = post_form(
        request,
        f"/shop/addresses/{key}/save",
        [_address_field(name, values[name]) for name in rules.ADDRESS_FIELDS],
        submit(request, "Save address", is_main=True),
        class_="stack",
    )
    return render_page(request, "Edit address", el("h1", f"Edit {key} address"), form)


def _address_field(name: str, value: str) -> Markup:
    box = el("input", name=name, value=value, autocomplete="off")
    return el("label", f"{name} ", box, class_="field titled")


@PAGES.post("/addresses/{key}/save")
def address_save(request: ShopRequest, key: str) -> Redirect:
    """Changes the address."""
    rules.edit_address(request.state, key, request.form)
    return Redirect("/shop/addresses", f"Address saved: {key}")


# The wish list.


@PAGES.get("/wishlist")
def wishlist(request: ShopRequest) -> str:
    """The products on the wish list."""
    request.log_event("wishlist")
    products = [request.world.by_id[entry["id"]] for entry in request.state["wishlist"]]
    return render_page(
        request,
        "Wish list",
        el("h1", "Wish list"),
        None if products else el("p", "Your wish list is empty"),
        el("ul", [_wish(request, product) for product in products], class_="lines"),
    )


def _wish(request: ShopRequest, product: Product) -> Markup:
    remove = submit(request, "Remove", label=f"Remove {product.name}")
    key = hidden_input("product", product.id)
    return el(
        "li",
        link(f"{product.name} {product.price_text}", f"/shop/p/{product.id}"),
        post_form(request, "/shop/wishlist/remove", key, remove),
    )


@PAGES.post("/wishlist/remove")
def wishlist_remove(request: ShopRequest) -> Redirect:
    """Takes a product off the wish list."""
    product_id = request.form.get("product", "")
    if not rules.is_on_wish_list(request.state, product_id):
        raise Refused("This product is not on the wish list")
    rules.set_wish(request.world, request.state, product_id, is_wish=False)
    name = request.world.by_id[product_id].name
    return Redirect("/shop/wishlist", f"Removed from wish list: {name}")
