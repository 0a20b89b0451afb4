"""The shop's pages of products: home, search results, one product.

A form posts to <its page>/<verb>.
"""

from __future__ import annotations

from urllib.parse import urlencode

from markupsafe import Markup

from envs.gyms.apps.shop import rules
from envs.gyms.apps.shop.catalogue import Product
from envs.gyms.apps.shop.frame import render_page
from envs.gyms.apps.shop.pictures import picture, stars
from envs.gyms.apps.shop.search import (
    ANY,
    PRICES,
    RATINGS,
    RELEVANCE,
    SORTS,
    Query,
    list_filter_options,
    search,
)
from envs.gyms.apps.shop.widgets import (
    ShopRequest,
    dropdown,
    post_form,
    radio_buttons,
    submit,
    tiles,
)
from envs.gyms.kit.html import el, join, link
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import Item
from envs.gyms.kit.request import Redirect
from envs.gyms.server.gym import NotFound

FILTERS = ("color", "material", "size", "price", "rating")
MAX_QUERY = 80
MORE_PRODUCTS = 4
PAGES = PageGroup()


def variant_text(line: Item) -> str:
    """Color and size of a line of a cart or an order."""
    return f"{line['color']} {line['size']}" if line["size"] else str(line["color"])


def parse_count(text: str) -> int | None:
    """A short positive number, or None."""
    return int(text) if text.isdecimal() and len(text) < 4 else None


@PAGES.get("/")
def home(request: ShopRequest) -> str:
    """Categories, and a few products."""
    catalogue, layout = request.world, request.appearance.layout
    categories = el(
        "nav",
        [link(category, f"/shop/c/{category}") for category in catalogue.categories],
        class_="categories",
    )
    products = tiles(catalogue.products[: 6 if layout else 4])
    body = (el("div", products, class_="tiles-wrap"), categories)
    return render_page(
        request,
        "Home",
        el("h1", f"Welcome to {catalogue.name}"),
        join(body if layout == 1 else (categories, products)),
    )


# Search results.


@PAGES.get("/search")
@PAGES.get("/c/{category}")
def results(request: ShopRequest, category: str = "") -> str:
    """Products by words or of a category, filtered, sorted and paged."""
    catalogue = request.world
    if category and category not in catalogue.categories:
        raise NotFound(f"There is no category {category}")
    query = _parse_query(request, category)
    matches = search(catalogue, query)
    size = catalogue.page_size
    page_count = max(1, -(-len(matches) // size))
    page = min(page_count, max(1, parse_count(request.query.get("page", "1")) or 1))
    shown = matches[(page - 1) * size : page * size]
    for product in shown:
        request.log_event(f"listed:{product.id}")
    variant = {name: getattr(query, name) for name in ("color", "size") if getattr(query, name)}
    products = tiles(shown, "?" + urlencode(variant) if variant else "")
    column = el("div", products, _pager(request, page, page_count), class_="found")
    filters = _filter_form(request, query)
    body = (column, filters) if request.appearance.layout == 2 else (filters, column)
    applied = [query.sort, *(getattr(query, name) for name in FILTERS if getattr(query, name))]
    return render_page(
        request,
        "Results",
        el("h1", f"{len(matches)} results for {query.text or category or 'everything'}"),
        el("p", f"Sorted by {', '.join(applied)}"),
        el("div", body, class_="results"),
        search_text=query.text,
    )


def _parse_query(request: ShopRequest, category: str) -> Query:
    parameters = request.query
    values = {name: parameters.get(name, "") for name in FILTERS}
    sort = parameters.get("sort", RELEVANCE)
    return Query(
        text=" ".join(parameters.get("q", "").split())[:MAX_QUERY],
        category=category,
        **{name: "" if value == ANY else value for name, value in values.items()},
        sort=sort if sort in SORTS else RELEVANCE,
    )


def _filter_form(request: ShopRequest, query: Query) -> Markup:
    """Drop-downs act at once, but for layout 2, where a button applies them."""
    options = list_filter_options(request.world, query)
    options |= {"price": list(PRICES[request.world.split]), "rating": list(RATINGS)}
    has_button = request.appearance.layout == 2
    return el(
        "form",
        el("input", type="hidden", name="q", value=query.text),
        [
            dropdown(name.capitalize(), name, options[name], getattr(query, name), ANY)
            for name in FILTERS
            if options[name]
        ],
        dropdown("Sort", "sort", SORTS, query.sort),
        submit(request, "Apply") if has_button else None,
        class_="filters",
        action=request.path,
        data_auto=not has_button,
    )


def _pager(request: ShopRequest, page: int, page_count: int) -> Markup | None:
    if page_count == 1:
        return None

    def link_to(text: str, number: int) -> Markup:
        return link(text, f"{request.path}?" + urlencode({**request.query, "page": number}))

    return el(
        "div",
        link_to("Previous page", page - 1) if page > 1 else None,
        el("span", f"Page {page} of {page_count}"),
        link_to("Next page", page + 1) if page < page_count else None,
        class_="pages",
    )


# One product.


@PAGES.get("/p/{product_id}")
def product_page(request: ShopRequest, product_id: str) -> str:
    """A product with the form that buys it; the address, or a refused form, chooses a variant."""
    product = rules.get_product(request.world, product_id)
    request.log_event(f"view:{product.id}")
    facts = f"{product.price_text}, {product.rating_text} stars, {product.reviews} reviews"
    wished = rules.is_on_wish_list(request.state, product.id)
    wish = submit(request, "On your wish list" if wished else "Save to wish list")
    same_brand = [
        other
        for other in request.world.products
        if other.brand == product.brand and other != product
    ]
    details = el(
        "div",
        el("h1", product.name),
        el("p", stars(product), facts),
        _buy_form(request, product),
        post_form(request, f"/shop/p/{product.id}/wish", wish),
    )
    return render_page(
        request,
        "Product",
        el("div", picture(product), details, class_="product"),
        el("h2", f"More from {product.brand}"),
        tiles(same_brand[:MORE_PRODUCTS]),
    )


def _buy_form(request: ShopRequest, product: Product) -> Markup:
    choice = request.draft or request.query
    color = choice.get("color", "") if choice.get("color") in product.colors else ""
    size = choice.get("size", "") if choice.get("size") in product.sizes else ""
    if (color, size) in product.sold_out:
        request.log_event(f"sold_out:{product.id}:{color}:{size}")
    return post_form(
        request,
        f"/shop/p/{product.id}/add",
        _variant_fields(request, product, color, size),
        el("p", _stock_text(product, color, size), id="stock"),
        submit(request, "Add to cart", is_main=True),
        id="buy",
    )


def _variant_fields(request: ShopRequest, product: Product, color: str, size: str) -> Markup:
    """Color, size and quantity: drop-downs and a box, or radio buttons and a drop-down."""
    layout = request.appearance.layout
    if layout == 2:
        numbers = [str(number) for number in range(1, rules.MAX_QUANTITY + 1)]
        sizes = radio_buttons("Size", "size", product.sizes, size) if product.sizes else None
        colors = radio_buttons("Color", "color", product.colors, color)
        return join((colors, sizes, dropdown("Quantity", "qty", numbers, "1")))
    box = el(
        "input",
        name="qty",
        aria_label="Quantity",
        inputmode="numeric",
        size=2,
        value=1,
        autocomplete="off",
    )
    less = el("button", "−", type="button", data_step=-1, aria_label="Less")
    more = el("button", "+", type="button", data_step=1, aria_label="More")
    stepper = el("span", (less, box, more) if layout == 1 else box, class_="stepper")
    sizes = dropdown("Size", "size", product.sizes, size, "Choose") if product.sizes else None
    return join((dropdown("Color", "color", product.colors, color, "Choose"), sizes, stepper))


def _stock_text(product: Product, color: str, size: str) -> str:
    if not product.has(color, size):
        return ""
    return "In stock" if product.count_left(color, size) else "Sold out"


@PAGES.post("/p/{product_id}/add")
def product_add(request: ShopRequest, product_id: str) -> Redirect:
    """Adds a variant to the cart."""
    form = request.form
    line = rules.add_to_cart(
        request.world,
        request.state,
        product_id,
        form.get("color", ""),
        form.get("size", ""),
        parse_count(form.get("qty", "1")) or 0,
    )
    name = request.world.by_id[product_id].name
    variant = urlencode({"color": line["color"], "size": line["size"]})
    message = f"Added to cart: {name} {variant_text(line)}"
    return Redirect(f"/shop/p/{product_id}?{variant}", message)


@PAGES.post("/p/{product_id}/wish")
def product_wish(request: ShopRequest, product_id: str) -> Redirect:
    """Puts the product on the wish list."""
    rules.set_wish(request.world, request.state, product_id, is_wish=True)
    name = request.world.by_id[product_id].name
    return Redirect(f"/shop/p/{product_id}", f"Saved to wish list: {name}")
