"""The shop's pages of the cart and the checkout."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.shop import rules
from envs.gyms.apps.shop.catalogue import format_money
from envs.gyms.apps.shop.frame import render_page
from envs.gyms.apps.shop.names import PAYMENTS, PERCENT_OFF, SHIPPING
from envs.gyms.apps.shop.product_pages import parse_count, variant_text
from envs.gyms.apps.shop.widgets import ShopRequest, dropdown, hidden_input, post_form, submit
from envs.gyms.kit.html import el, link
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import Item
from envs.gyms.kit.request import Redirect

PAGES = PageGroup()


def label_of(request: ShopRequest, line: Item) -> str:
    """Product and variant of a line of a cart or an order."""
    return f"{request.world.by_id[line['product']].name} {variant_text(line)}"


@PAGES.get("/cart")
def cart(request: ShopRequest) -> str:
    """Lines, coupon, total, and the way to the checkout."""
    request.log_event("cart")
    lines, coupon = request.state["cart"], request.state["coupon"]
    heading = el("h1", "Cart")
    if not lines:
        return render_page(request, "Cart", heading, el("p", "Your cart is empty"))
    totals = rules.add_up_cart(request.world, request.state)
    saves = f"Coupon {coupon} saves {PERCENT_OFF.get(coupon or '', 0)}%: "
    return render_page(
        request,
        "Cart",
        heading,
        el("ul", [_cart_line(request, line) for line in lines], class_="lines"),
        _coupon_form(request),
        el("p", saves + format_money(totals["discount"])) if coupon else None,
        el("p", f"Total {format_money(totals['total'])}", class_="total"),
        el("a", "Checkout", class_="main", href="/shop/checkout"),
    )


def _cart_line(request: ShopRequest, line: Item) -> Markup:
    """Quantities act at once, but for layout 2, where a button applies them."""
    label, product = label_of(request, line), request.world.by_id[line["product"]]
    has_button = request.appearance.layout == 2
    action, key = "/shop/cart/update", hidden_input("line", line["id"])
    update = submit(request, "Update", label=f"Update {label}") if has_button else None
    remove = submit(request, "Remove", label=f"Remove {label}")
    field = _quantity_field(request, f"Quantity {label}", line["qty"])
    return el(
        "li",
        link(label, f"/shop/p/{product.id}"),
        " ",
        el("span", format_money(product.price)),
        post_form(request, action, key, field, update, data_auto=not has_button),
        post_form(request, action, key, hidden_input("qty", "0"), remove),
    )


def _quantity_field(request: ShopRequest, label: str, quantity: int) -> Markup:
    if request.appearance.layout == 0:
        numbers = range(1, rules.MAX_QUANTITY + 1)
        options = [el("option", number, selected=number == quantity) for number in numbers]
        return el("select", options, name="qty", aria_label=label)
    return el(
        "input",
        name="qty",
        aria_label=label,
        inputmode="numeric",
        size=2,
        value=quantity,
        autocomplete="off",
    )


def _coupon_form(request: ShopRequest) -> Markup:
    box = el(
        "input",
        name="code",
        aria_label="Coupon",
        value="",
        placeholder="Coupon",
        autocomplete="off",
    )
    return post_form(request, "/shop/cart/coupon", box, submit(request, "Apply"), class_="coupon")


@PAGES.post("/cart/update")
def cart_update(request: ShopRequest) -> Redirect:
    """Changes the quantity of a line, or removes it."""
    key = request.form.get("line", "")
    label = label_of(request, rules.get_cart_line(request.state, key))
    quantity = parse_count(request.form.get("qty", ""))
    rules.set_quantity(request.state, key, -1 if quantity is None else quantity)
    return Redirect("/shop/cart", f"Quantity changed: {label}" if quantity else f"Removed: {label}")


@PAGES.post("/cart/coupon")
def cart_coupon(request: ShopRequest) -> Redirect:
    """Applies a coupon."""
    rules.apply_coupon(request.state, request.form.get("code", ""))
    return Redirect("/shop/cart", f"Coupon applied: {request.state['coupon']}")


@PAGES.get("/checkout")
def checkout(request: ShopRequest) -> str:
    """The form that places the order."""
    request.log_event("checkout")
    shipping = request.draft.get("shipping", "Standard")
    fees = [f"{name} shipping: {format_money(fee) if fee else 'free'}" for name, fee in _FEES]
    accept = el(
        "input",
        type="checkbox",
        name="terms",
        value="yes",
        checked=request.draft.get("terms") == "yes",
    )
    form = post_form(
        request,
        "/shop/checkout/place",
        _checkout_fields(request, shipping),
        el("label", accept, "I accept the terms"),
        submit(request, "Place order", is_main=True),
        class_="stack",
    )
    return render_page(
        request,
        "Checkout",
        el("h1", "Checkout"),
        el("p", _summarize_cart(request)),
        form,
        el("ul", [el("li", fee) for fee in fees], class_="fees"),
    )


_FEES = tuple(SHIPPING.items())


def _summarize_cart(request: ShopRequest) -> str:
    count = sum(line["qty"] for line in request.state["cart"])
    coupon = request.state["coupon"]
    totals = rules.add_up_cart(request.world, request.state)
    before_shipping = format_money(totals["subtotal"] - totals["discount"])
    text = f"{count} {'item' if count == 1 else 'items'}, {before_shipping} before shipping"
    return f"{text}, coupon {coupon}" if coupon else text


def _checkout_fields(request: ShopRequest, shipping: str) -> list[Markup]:
    """In layout 1 the other way round."""
    state, draft = request.state, request.draft
    keys = [address["id"] for address in state["addresses"]]
    payment = str(draft.get("payment", state["payment"]))
    fields = [
        dropdown("Address", "address", keys, draft.get("address", keys[0])),
        dropdown("Shipping", "shipping", tuple(SHIPPING), shipping),
        dropdown("Payment", "payment", PAYMENTS, payment),
    ]
    return fields[::-1] if request.appearance.layout == 1 else fields


@PAGES.post("/checkout/place")
def checkout_place(request: ShopRequest) -> Redirect:
    """Places the order."""
    form = request.form
    number = rules.place_order(
        request.world,
        request.state,
        address=form.get("address", ""),
        shipping=form.get("shipping", ""),
        payment=form.get("payment", ""),
        terms=form.get("terms") == "yes",
    )
    return Redirect(f"/shop/placed/{number}")


@PAGES.get("/placed/{number}")
def show_placed_order(request: ShopRequest, number: str) -> str:
    """Thanks for an order."""
    order = rules.get_order(request.state, number)
    return render_page(
        request,
        "Order placed",
        el("h1", "Order placed"),
        el("p", f"Order {order['id']}, {order['shipping']} shipping to {order['address']}"),
        el("p", f"Total {format_money(order['total'])}"),
        link(f"See order {order['id']}", f"/shop/orders/{order['id']}"),
    )
