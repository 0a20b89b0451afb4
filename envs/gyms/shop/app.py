"""The shop's pages and forms: what is shown, and which rule of `domain.py` a form calls.

A form posts to <its page>/<verb>. Pages are served per session and never name it.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.routing import BaseRoute

from envs.gyms.gym import NotFound, Refused
from envs.gyms.pages import Redirect, Visit, get, post, take_draft
from envs.gyms.shop import domain
from envs.gyms.shop.account import DELIVERED, PROCESSING, day_text
from envs.gyms.shop.catalogue import Catalogue, Product, hydrate
from envs.gyms.shop.render import render
from envs.gyms.shop.search import ANY, PRICES, RATINGS, RELEVANCE, SORTS, Query, facets, search
from envs.gyms.shop.words import COUPONS, PAYMENTS, REASONS, SHIPPING

FILTERS = ("color", "material", "size", "price", "rating")


def catalogue_of(visit: Visit) -> Catalogue:
    return hydrate(visit.session.task.seed)


def variant_text(line: dict[str, Any]) -> str:
    return f"{line['color']} {line['size']}" if line["size"] else str(line["color"])


def _lines(visit: Visit, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cart or order lines, ready to show."""
    by_id = catalogue_of(visit).by_id
    return [
        {
            **line,
            "name": by_id[line["product"]].name,
            "label": f"{by_id[line['product']].name} {variant_text(line)}",
            "variant": variant_text(line),
            "price": line.get("price", by_id[line["product"]].price),
        }
        for line in lines
    ]


def home(visit: Visit) -> str:
    catalogue = catalogue_of(visit)
    count = 6 if catalogue.look.layout else 4
    return render(
        visit,
        "home.html",
        "Home",
        categories=catalogue.categories,
        products=catalogue.products[:count],
    )


def _query(visit: Visit, category: str) -> Query:
    asked = visit.query
    chosen = {name: asked.get(name, "") for name in FILTERS}
    sort = asked.get("sort", RELEVANCE)
    return Query(
        text=" ".join(asked.get("q", "").split())[:80],
        category=category,
        **{name: "" if value == ANY else value for name, value in chosen.items()},
        sort=sort if sort in SORTS else RELEVANCE,
    )


def results(visit: Visit, category: str = "") -> str:
    catalogue = catalogue_of(visit)
    if category and category not in catalogue.categories:
        raise NotFound(f"There is no category {category}")
    query = _query(visit, category)
    found = search(catalogue, query)
    size = catalogue.look.page_size
    pages = max(1, -(-len(found) // size))
    asked = visit.query.get("page", "1")
    page = min(pages, max(1, int(asked))) if asked.isdecimal() and len(asked) < 4 else 1
    shown = found[(page - 1) * size : page * size]
    for product in shown:
        domain.note(visit.state, f"listed:{product.id}")

    def page_link(number: int) -> str:
        return f"{visit.path}?" + urlencode({**visit.query, "page": number})

    known = facets(catalogue, query)
    choices = {
        "color": known["color"],
        "material": known["material"],
        "size": known["size"],
        "price": list(PRICES),
        "rating": list(RATINGS),
    }
    kept = {name: getattr(query, name) for name in ("color", "size") if getattr(query, name)}
    return render(
        visit,
        "results.html",
        "Results",
        q=query.text,
        what=query.text or category or "everything",
        query=query,
        total=len(found),
        products=shown,
        variant="?" + urlencode(kept) if kept else "",
        applied=[getattr(query, name) for name in FILTERS if getattr(query, name)],
        filters=[(name, choices[name], getattr(query, name)) for name in FILTERS if choices[name]],
        sorts=SORTS,
        path=visit.path,
        page=page,
        pages=pages,
        page_link=page_link,
    )


def _stock_text(product: Product, color: str, size: str) -> str:
    if not product.has(color, size):
        return ""
    return "In stock" if product.left(color, size) else "Sold out"


def product_page(visit: Visit, product_id: str) -> str:
    product = domain.product_of(catalogue_of(visit), product_id)
    domain.note(visit.state, f"view:{product.id}")
    chosen = take_draft(visit) or visit.query
    color = chosen.get("color", "") if chosen.get("color") in product.colors else ""
    size = chosen.get("size", "") if chosen.get("size") in product.sizes else ""
    return render(
        visit,
        "product.html",
        "Product",
        product=product,
        color=color,
        size=size,
        stock=_stock_text(product, color, size),
        gone=[f"{color} {size}".strip() for color, size in sorted(product.sold_out)],
        more=[p for p in catalogue_of(visit).products if p.brand == product.brand and p != product][
            :4
        ],
        wished=any(entry["id"] == product.id for entry in visit.state["wishlist"]),
    )


def product_add(visit: Visit, product_id: str) -> Redirect:
    form, catalogue = visit.form, catalogue_of(visit)
    quantity = form.get("qty", "1")
    line = domain.add_to_cart(
        catalogue,
        visit.state,
        product_id,
        form.get("color", ""),
        form.get("size", ""),
        int(quantity) if quantity.isdecimal() and len(quantity) < 4 else 0,
    )
    name = catalogue.by_id[product_id].name
    chosen = urlencode({"color": line["color"], "size": line["size"]})
    return Redirect(f"/shop/p/{product_id}?{chosen}", f"Added to cart: {name} {variant_text(line)}")


def product_wish(visit: Visit, product_id: str) -> Redirect:
    domain.set_wish(catalogue_of(visit), visit.state, product_id, True)
    name = catalogue_of(visit).by_id[product_id].name
    return Redirect(f"/shop/p/{product_id}", f"Saved to wish list: {name}")


def cart(visit: Visit) -> str:
    domain.note(visit.state, "cart")
    coupon = visit.state["coupon"]
    return render(
        visit,
        "cart.html",
        "Cart",
        lines=_lines(visit, visit.state["cart"]),
        coupon=coupon,
        percent=COUPONS.get(coupon or "", 0),
        totals=domain.cart_totals(catalogue_of(visit), visit.state),
        most=domain.MAX_QUANTITY,
    )


def cart_update(visit: Visit) -> Redirect:
    line, quantity = visit.form.get("line", ""), visit.form.get("qty", "")
    name = _lines(visit, [domain.cart_line(visit.state, line)])[0]["label"]
    valid = quantity.isdecimal() and len(quantity) < 4
    domain.set_quantity(visit.state, line, int(quantity) if valid else -1)
    changed = f"Quantity changed: {name}" if int(quantity) else f"Removed: {name}"
    return Redirect("/shop/cart", changed)


def cart_coupon(visit: Visit) -> Redirect:
    domain.apply_coupon(visit.state, visit.form.get("code", ""))
    return Redirect("/shop/cart", f"Coupon applied: {visit.state['coupon']}")


def checkout(visit: Visit) -> str:
    domain.note(visit.state, "checkout")
    draft = take_draft(visit)
    shipping = draft.get("shipping", "Standard")
    return render(
        visit,
        "checkout.html",
        "Checkout",
        count=sum(line["qty"] for line in visit.state["cart"]),
        coupon=visit.state["coupon"],
        fields=[
            ("Address", "address", [a["id"] for a in visit.state["addresses"]],
             draft.get("address", "Home")),
            ("Shipping", "shipping", list(SHIPPING), shipping),
            ("Payment", "payment", list(PAYMENTS), draft.get("payment", visit.state["payment"])),
        ],
        fees=SHIPPING,
        terms=draft.get("terms") == "yes",
        totals=domain.cart_totals(catalogue_of(visit), visit.state, shipping),
    )  # fmt: skip


def checkout_place(visit: Visit) -> Redirect:
    form = visit.form
    number = domain.place_order(
        catalogue_of(visit),
        visit.state,
        form.get("address", ""),
        form.get("shipping", ""),
        form.get("payment", ""),
        form.get("terms") == "yes",
    )
    return Redirect(f"/shop/placed/{number}")


def placed(visit: Visit, number: str) -> str:
    order = domain.order_of(visit.state, number)
    return render(visit, "placed.html", "Order placed", order=order)


def account(visit: Visit) -> str:
    return render(
        visit,
        "account.html",
        "Account",
        customer=visit.state["addresses"][0]["name"],
        payment=visit.state["payment"],
    )


def orders(visit: Visit) -> str:
    domain.note(visit.state, "orders")
    listed = [{**order, "day": day_text(order["date"])} for order in visit.state["orders"]]
    return render(visit, "orders.html", "Orders", orders=listed)


def order_page(visit: Visit, number: str) -> str:
    order = domain.order_of(visit.state, number)
    domain.note(visit.state, f"order:{number}")
    return render(
        visit,
        "order.html",
        "Order",
        order=order,
        day=day_text(order["date"]),
        lines=_lines(visit, order["lines"]),
        can_return=order["status"] == DELIVERED,
        can_cancel=order["status"] == PROCESSING,
    )


def cancel_page(visit: Visit, number: str) -> str:
    order = domain.order_of(visit.state, number)
    domain.note(visit.state, f"cancel:{number}")
    return render(visit, "cancel.html", "Cancel order", order=order)


def cancel_confirm(visit: Visit, number: str) -> Redirect:
    domain.cancel_order(visit.state, number)
    return Redirect(f"/shop/orders/{number}", f"Order cancelled: {number}")


def return_page(visit: Visit, number: str, line: str) -> str:
    order = domain.order_of(visit.state, number)
    entry = domain.order_line(order, line)
    domain.note(visit.state, f"return:{number}:{line}")
    return render(
        visit,
        "return.html",
        "Return item",
        order=order,
        line=_lines(visit, [entry])[0],
        reasons=REASONS,
        reason=take_draft(visit).get("reason", ""),
    )


def return_send(visit: Visit, number: str, line: str) -> Redirect:
    domain.return_line(visit.state, number, line, visit.form.get("reason", ""))
    entry = _lines(visit, [domain.order_line(domain.order_of(visit.state, number), line)])[0]
    return Redirect(f"/shop/orders/{number}", f"Return requested: {entry['name']}")


def addresses(visit: Visit) -> str:
    return render(visit, "addresses.html", "Addresses", addresses=visit.state["addresses"])


def address_page(visit: Visit, key: str) -> str:
    entry = domain.address_of(visit.state, key)
    domain.note(visit.state, f"address:{key}")
    values = {**entry, **take_draft(visit)}
    return render(visit, "address.html", "Edit address", key=key, values=values)


def address_save(visit: Visit, key: str) -> Redirect:
    domain.edit_address(visit.state, key, visit.form)
    return Redirect("/shop/addresses", f"Address saved: {key}")


def wishlist(visit: Visit) -> str:
    domain.note(visit.state, "wishlist")
    products = [catalogue_of(visit).by_id[entry["id"]] for entry in visit.state["wishlist"]]
    return render(visit, "wishlist.html", "Wish list", products=products)


def wishlist_remove(visit: Visit) -> Redirect:
    product_id = visit.form.get("product", "")
    if all(entry["id"] != product_id for entry in visit.state["wishlist"]):
        raise Refused("This product is not on the wish list")
    domain.set_wish(catalogue_of(visit), visit.state, product_id, False)
    name = catalogue_of(visit).by_id[product_id].name
    return Redirect("/shop/wishlist", f"Removed from wish list: {name}")


def missing(visit: Visit, message: str) -> str:
    return render(visit, "missing.html", "Not found", message=message)


def nothing_here(visit: Visit, rest: str) -> str:
    raise NotFound(f"There is no page {rest[:60]}")


def routes() -> list[BaseRoute]:
    order, address = "/shop/orders/{number}", "/shop/addresses/{key}"
    return [
        get("/shop/", home, missing),
        get("/shop/search", results, missing),
        get("/shop/c/{category}", results, missing),
        get("/shop/p/{product_id}", product_page, missing),
        post("/shop/p/{product_id}/add", product_add, missing),
        post("/shop/p/{product_id}/wish", product_wish, missing),
        get("/shop/cart", cart, missing),
        post("/shop/cart/update", cart_update, missing),
        post("/shop/cart/coupon", cart_coupon, missing),
        get("/shop/checkout", checkout, missing),
        post("/shop/checkout/place", checkout_place, missing),
        get("/shop/placed/{number}", placed, missing),
        get("/shop/account", account, missing),
        get("/shop/orders", orders, missing),
        get(order, order_page, missing),
        get(order + "/cancel", cancel_page, missing),
        post(order + "/cancel/confirm", cancel_confirm, missing),
        get(order + "/return/{line}", return_page, missing),
        post(order + "/return/{line}/send", return_send, missing),
        get("/shop/addresses", addresses, missing),
        get(address, address_page, missing),
        post(address + "/save", address_save, missing),
        get("/shop/wishlist", wishlist, missing),
        post("/shop/wishlist/remove", wishlist_remove, missing),
        get("/shop/{rest:path}", nothing_here, missing),
    ]
