"""Tasks in Chromium on local pages: reading, forms, downloads, bookmarks, settings, tabs."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from envs.gyms.desktop.template import (
    DOCUMENTS,
    HOME,
    Draft,
    Json,
    both,
    check,
    click,
    done,
    key,
    nothing_else,
    said,
    template,
    tool,
)
from envs.gyms.desktop.words import CITIES, ITEMS, PEOPLE

FOLDER = f"{DOCUMENTS}/pages"
CLOSED: Json = {"type": "chromium_closed"}
"""Chromium writes its files when it ends."""
WATCHED = {
    "bookmark_bar.show_on_all_tabs": None,
    "browser.show_home_button": None,
    "download.prompt_for_download": None,
    "enable_do_not_track": None,
    "session.restore_on_startup": 5,
    "session.startup_urls": None,
    "webkit.webprefs.default_font_size": None,
}
"""Settings that a task is about or must leave alone, and what they are at first."""


def page(name: str, title: str, body: str) -> Json:
    """Setup: a page in the folder of pages."""
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        "<style>body{font:16px sans-serif;margin:2em}td,th{padding:4px 12px;text-align:left}"
        f"</style></head><body><h1>{title}</h1>\n{body}\n</body></html>\n"
    )
    return {"type": "text_file", "parameters": {"path": f"{FOLDER}/{name}.html", "text": text}}


def shown(name: str) -> Json:
    """Setup: the page in a tab in front."""
    return {"type": "open", "parameters": {"path": f"{FOLDER}/{name}.html"}}


def url(name: str) -> str:
    return f"file://{FOLDER}/{name}.html"


def table(rows: Sequence[Sequence[Any]]) -> str:
    head, *rest = rows
    lines = ["".join(f"<th>{cell}</th>" for cell in head)]
    lines += ["".join(f"<td>{cell}</td>" for cell in row) for row in rest]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def bookmarked(expected: Sequence[Sequence[str | None]]) -> Json:
    """Evaluator: these bookmarks and folders, no others, and no file touched."""
    kept = {
        "func": "exact_match",
        "result": {"type": "chromium_bookmarks"},
        "expected": {"type": "rule", "rules": {"expected": list(map(list, expected))}},
    }
    return both(kept, nothing_else()) | {"postconfig": [CLOSED]}


def preferring(changed: Mapping[str, Any]) -> Json:
    """Evaluator: these settings, the other watched ones as they were, and no file touched."""
    kept = {
        "func": "exact_match",
        "result": {"type": "chromium_preferences", "names": list(WATCHED)},
        "expected": {"type": "rule", "rules": {"expected": {**WATCHED, **changed}}},
    }
    return both(kept, nothing_else()) | {"postconfig": [CLOSED]}


@template("chromium")
def browser_price(rng: random.Random) -> Draft:
    """A value read from a table."""
    items = rng.sample(ITEMS, 9)
    rows = [(item, rng.randint(2, 60), f"{rng.randint(100, 9999) / 100:.2f}") for item in items]
    item, _, price = rng.choice(rows)
    body = table([("Article", "In stock", "Price in EUR"), *rows])
    return Draft(
        instruction=f"What does the article {item} cost according to the page that is open in "
        "Chromium? Answer with the number only.",
        config=[page("prices", "Price list", body), shown("prices")],
        evaluator=both(said(float(price)), nothing_else()),
        api=[tool("chromium.read_table"), done(price)],
    )


@template("chromium", max_steps=20)
def browser_follow_links(rng: random.Random) -> Draft:
    """A question that needs several pages."""
    cities = rng.sample(CITIES, 3)
    prices = rng.sample(range(20, 180), 3)
    people = rng.sample(PEOPLE, 3)
    links = "".join(f'<li><a href="{city.lower()}.html">{city}</a></li>' for city in cities)
    pages = [
        page(city.lower(), city, f"<p>A night costs {price} EUR.</p><p>Ask for {person}.</p>")
        for city, price, person in zip(cities, prices, people, strict=True)
    ]
    person = people[prices.index(min(prices))]
    return Draft(
        instruction="The page in Chromium links to the pages of three hotels. Who is the person to "
        "ask for at the hotel where a night is cheapest? Answer with the full name only.",
        config=[*pages, page("hotels", "Hotels", f"<ul>{links}</ul>"), shown("hotels")],
        evaluator=both(said(person), nothing_else()),
        api=[
            *(
                action
                for city in cities
                for action in (
                    tool("chromium.navigate", url=url(city.lower())),
                    tool("chromium.page_text"),
                )
            ),
            done(person),
        ],
    )


@template("chromium", max_steps=20)
def browser_form(rng: random.Random) -> Draft:
    """A form filled in; the confirmation that the page then shows is the answer."""
    name, city = rng.choice(PEOPLE), rng.choice(CITIES)
    count, factor = rng.randint(2, 9), rng.randint(100, 900)
    options = "".join(f"<option>{other}</option>" for other in ("Choose", *CITIES))
    body = f"""<form onsubmit="book(event)">
<p><label>Name <input id="name"></label></p>
<p><label>City <select id="city">{options}</select></label></p>
<p><label>Persons <input id="persons" type="number"></label></p>
<p><label><input id="terms" type="checkbox"> I accept the terms</label></p>
<p><button id="book">Book</button></p></form><p id="result"></p>
<script>
function book(event) {{
  event.preventDefault();
  const value = (id) => document.getElementById(id).value.trim();
  if (!document.getElementById("terms").checked)
    return void (document.getElementById("result").textContent = "Please accept the terms.");
  const text = [value("name"), value("city"), value("persons")].join("|");
  let code = {factor};
  for (const letter of text) code = (code * 31 + letter.charCodeAt(0)) % 99991;
  document.getElementById("result").textContent = "Confirmation " + code;
}}
</script>"""
    code = factor
    for letter in f"{name}|{city}|{count}":
        code = (code * 31 + ord(letter)) % 99991
    fields = {"#name": name, "#city": city, "#persons": str(count), "#terms": True}
    return Draft(
        instruction=f"In the form that is open in Chromium, book for {name} in {city}, {count} "
        "persons, and accept the terms. What is the number of the confirmation?",
        config=[page("booking", "Booking", body), shown("booking")],
        evaluator=both(said(code), nothing_else()),
        api=[
            tool("chromium.fill_form", fields=fields),
            tool("chromium.click", selector="#book"),
            tool("chromium.page_text"),
            done(str(code)),
        ],
    )


@template("chromium")
def browser_download(rng: random.Random) -> Draft:
    """One of several files that a page offers, downloaded."""
    months = rng.sample(("January", "March", "May", "July", "October"), 3)
    texts = [
        "item,pieces\n"
        + "".join(f"{item},{rng.randint(1, 90)}\n" for item in rng.sample(ITEMS, rng.randint(3, 5)))
        for _ in months
    ]
    links = "".join(
        f'<p><a id="get-{month}" download="orders-{month.lower()}.csv" '
        f'href="data:text/csv,{quote(text)}">Orders of {month}</a></p>'
        for month, text in zip(months, texts, strict=True)
    )
    target = f"{HOME}/Downloads/orders-{months[1].lower()}.csv"
    return Draft(
        instruction=f"Download the orders of {months[1]} from the page that is open in Chromium. "
        "Leave the file in Downloads under the name it comes with.",
        config=[page("orders", "Orders", links), shown("orders")],
        evaluator=both(check("text_is", target, texts[1]), nothing_else(added=[target])),
        api=[
            tool("chromium.click", selector=f"#get-{months[1]}"),
            tool("wait.file", path=target),
            done(),
        ],
    )


@template("chromium")
def browser_bookmark(rng: random.Random) -> Draft:
    """The page in front bookmarked on the bookmarks bar."""
    city, other = rng.sample(CITIES, 2)
    config = [
        {"type": "chromium_bookmarks",
         "parameters": {"bookmarks": [["bar", other, f"https://{other.lower()}.example/"]]}},
        page("guide", f"Guide to {city}", "<p>Everything about the town.</p>"),
        shown("guide"),
    ]  # fmt: skip
    return Draft(
        instruction="Bookmark the page that is open in Chromium on the bookmarks bar, after the "
        "bookmark that is there, and keep its title as the name.",
        config=config,
        evaluator=bookmarked(
            [["bar", other, f"https://{other.lower()}.example/"],
             ["bar", f"Guide to {city}", url("guide")]]
        ),
        api=[tool("chromium.bookmark_page"), done()],
        gui=[
            key("ctrl", "d"),
            click("Folder", "select"),
            {"type": "wait", "ms": 700},
            key("home"),
            key("enter"),
            click("Done", "button"),
            done(),
        ],
    )  # fmt: skip


@template("chromium")
def browser_bookmark_folder(rng: random.Random) -> Draft:
    """A bookmark in a folder of a given name, made for it."""
    city = rng.choice(CITIES)
    folder = rng.choice(("Travel", "Holidays", "Plans"))
    return Draft(
        instruction=f'Bookmark the page that is open in Chromium as "{city}" in a new folder '
        f'"{folder}" on the bookmarks bar.',
        config=[page("town", f"Welcome to {city}", "<p>Sights and food.</p>"), shown("town")],
        evaluator=bookmarked([["bar", folder, None], [f"bar/{folder}", city, url("town")]]),
        api=[tool("chromium.bookmark_page", folder=folder, title=city), done()],
    )


@template("chromium")
def browser_clean_bookmarks(rng: random.Random) -> Draft:
    """A folder of bookmarks deleted, the others kept."""
    old, kept = rng.sample(("Old", "Recipes", "School", "Cars"), 2)
    names = rng.sample(CITIES, 4)
    places = [f"bar/{old}", f"bar/{old}", f"bar/{kept}", "bar"]
    entries: list[list[str | None]] = [
        [place, name, f"https://{name.lower()}.example/"]
        for place, name in zip(places, names, strict=True)
    ]
    start = {"type": "chromium_bookmarks", "parameters": {"bookmarks": entries}}
    return Draft(
        instruction=f'Delete the folder "{old}" with everything in it from Chromium\'s bookmarks '
        "bar. Keep all other bookmarks.",
        config=[start, page("start", "Start", "<p>Nothing here.</p>"), shown("start")],
        evaluator=bookmarked([["bar", kept, None], *entries[2:]]),
        api=[tool("chromium.remove_bookmarks", title=old), done()],
    )


@template("chromium")
def browser_setting(rng: random.Random) -> Draft:
    """One setting changed."""
    size = rng.choice((12, 20, 24))
    what, changed, name, value = rng.choice(
        (
            ("always shows the bookmarks bar", {"bookmark_bar.show_on_all_tabs": True},
             "show_bookmarks_bar", True),
            ("shows the home button", {"browser.show_home_button": True}, "show_home_button", True),
            ("asks where to save each file before downloading",
             {"download.prompt_for_download": True}, "ask_where_to_save", True),
            ('sends a "Do Not Track" request', {"enable_do_not_track": True}, "do_not_track", True),
            (f"uses a font size of {size}", {"webkit.webprefs.default_font_size": size},
             "font_size", size),
        )
    )  # fmt: skip
    return Draft(
        instruction=f"Change Chromium's settings so that it {what}. Change no other setting.",
        config=[page("start", "Start", "<p>Nothing here.</p>"), shown("start")],
        evaluator=preferring(changed),
        api=[tool("chromium.set_setting", setting=name, value=value), done()],
    )


@template("chromium", max_steps=20)
def browser_close_tabs(rng: random.Random) -> Draft:
    """All tabs closed but one."""
    cities = rng.sample(CITIES, rng.randint(3, 4))
    kept = cities[0]
    rest = cities[1:]
    order = [kept, *rest]
    pages = [page(city.lower(), f"News from {city}", f"<p>{city}.</p>") for city in cities]
    evaluator = both(
        {
            "func": "exact_match",
            "result": {"type": "chromium_tabs"},
            "expected": {"type": "rule", "rules": {"expected": [url(kept.lower())]}},
        },
        nothing_else(),
    )
    return Draft(
        instruction=f'Close all tabs in Chromium but "News from {kept}", which stays open.',
        config=[*pages, *(shown(city.lower()) for city in order)],
        evaluator=evaluator,
        api=[tool("chromium.tabs"), *(tool("chromium.close_tab") for _ in rest), done()],
        gui=[*(key("ctrl", "w") for _ in rest), {"type": "wait", "ms": 700}, done()],
    )
