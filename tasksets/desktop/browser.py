"""Tasks in Chromium on local pages: reading, forms, downloads, bookmarks, settings, tabs."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from tasksets.desktop.actions import click, finish, key, tool, type_into, type_text, wait
from tasksets.desktop.checks import all_of, answer_is, check_file, exact_match, only_changed
from tasksets.desktop.setup_steps import create_text_file, open_path
from tasksets.desktop.template import CHROMIUM, DOCUMENTS, HOME, DesktopTemplate, Draft, Json
from tasksets.desktop.vocabulary import CITIES, ITEMS, PEOPLE

FOLDER = f"{DOCUMENTS}/pages"
CLOSE_CHROMIUM: Json = {"type": "chromium_closed"}
"""Ends Chromium before the evaluation: it writes its files when it ends."""
INITIAL_PREFERENCES = {
    "bookmark_bar.show_on_all_tabs": None,
    "browser.show_home_button": None,
    "download.prompt_for_download": None,
    "enable_do_not_track": None,
    "session.restore_on_startup": 5,
    "session.startup_urls": None,
    "webkit.webprefs.default_font_size": None,
}
"""The settings that the evaluator compares, with their values at the start."""


def page_file(name: str, title: str, body: str) -> Json:
    """Setup: an HTML page in the folder of pages; `body` is HTML."""
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        "<style>body{font:16px sans-serif;margin:2em}td,th{padding:4px 12px;text-align:left}"
        f"</style></head><body><h1>{title}</h1>\n{body}\n</body></html>\n"
    )
    return create_text_file(f"{FOLDER}/{name}.html", text)


def open_page(name: str) -> Json:
    """Setup: the page in a new tab in front."""
    return open_path(f"{FOLDER}/{name}.html")


def page_url(name: str) -> str:
    """The page's file: URL."""
    return f"file://{FOLDER}/{name}.html"


def create_bookmarks(entries: Sequence[Sequence[str | None]]) -> Json:
    """Setup: bookmarks as (folder, name, URL)."""
    return {"type": "chromium_bookmarks", "parameters": {"bookmarks": entries}}


def html_table(rows: Sequence[Sequence[Any]]) -> str:
    """An HTML table, its header first."""
    head, *rest = rows
    lines = ["".join(f"<th>{cell}</th>" for cell in head)]
    lines += ["".join(f"<td>{cell}</td>" for cell in row) for row in rest]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def bookmarks_are(expected: Sequence[Sequence[str | None]]) -> Json:
    """Evaluator: these bookmarks and folders, no others, and no file touched."""
    bookmarks = exact_match({"type": "chromium_bookmarks"}, list(map(list, expected)))
    return all_of(bookmarks, only_changed()) | {"postconfig": [CLOSE_CHROMIUM]}


def preferences_are(changed: Mapping[str, Any]) -> Json:
    """Evaluator: these settings changed, no other of INITIAL_PREFERENCES, and no file touched."""
    preferences = exact_match(
        {"type": "chromium_preferences", "names": list(INITIAL_PREFERENCES)},
        {**INITIAL_PREFERENCES, **changed},
    )
    return all_of(preferences, only_changed()) | {"postconfig": [CLOSE_CHROMIUM]}


def browser_price(rng: random.Random) -> Draft:
    """A value read from a table."""
    items = rng.sample(ITEMS, 9)
    rows = [(item, rng.randint(2, 60), f"{rng.randint(100, 9999) / 100:.2f}") for item in items]
    item, _, price = rng.choice(rows)
    body = html_table([("Article", "In stock", "Price in EUR"), *rows])
    return Draft(
        instruction=f"What does the article {item} cost according to the page that is open in "
        "Chromium? Answer with the number only.",
        config=[page_file("prices", "Price list", body), open_page("prices")],
        evaluator=all_of(answer_is(float(price)), only_changed()),
        api=[tool("chromium.read_table"), finish(price)],
        gui=[finish(price)],
    )


def browser_follow_links(rng: random.Random) -> Draft:
    """A question that needs several pages."""
    cities = rng.sample(CITIES, 3)
    prices = rng.sample(range(20, 180), 3)
    people = rng.sample(PEOPLE, 3)
    links = "".join(f'<li><a href="{city.lower()}.html">{city}</a></li>' for city in cities)
    pages = [
        page_file(city.lower(), city, f"<p>A night costs {price} EUR.</p><p>Ask for {person}.</p>")
        for city, price, person in zip(cities, prices, people, strict=True)
    ]
    person = people[prices.index(min(prices))]
    return Draft(
        instruction="The page in Chromium links to the pages of three hotels. Who is the person to "
        "ask for at the hotel where a night is cheapest? Answer with the full name only.",
        config=[*pages, page_file("hotels", "Hotels", f"<ul>{links}</ul>"), open_page("hotels")],
        evaluator=all_of(answer_is(person), only_changed()),
        api=[
            *(
                action
                for city in cities
                for action in (
                    tool("chromium.navigate", url=page_url(city.lower())),
                    tool("chromium.page_text"),
                )
            ),
            finish(person),
        ],
        gui=[
            *(
                action
                for city in cities
                for action in (click(city, "link"), wait(500), key("alt", "left"), wait(500))
            ),
            finish(person),
        ],
    )


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
        config=[page_file("booking", "Booking", body), open_page("booking")],
        evaluator=all_of(answer_is(code), only_changed()),
        api=[
            tool("chromium.fill_form", fields=fields),
            tool("chromium.click", selector="#book"),
            tool("chromium.page_text"),
            finish(str(code)),
        ],
        gui=[
            type_into("Name", name),
            key("tab"),
            type_text(city),
            key("tab"),
            type_text(str(count)),
            key("tab"),
            key("space"),
            click("Book", "button"),
            wait(500),
            finish(str(code)),
        ],
    )


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
        config=[page_file("orders", "Orders", links), open_page("orders")],
        evaluator=all_of(check_file("text_is", target, texts[1]), only_changed(added=[target])),
        api=[
            tool("chromium.click", selector=f"#get-{months[1]}"),
            tool("wait.file", path=target),
            finish(),
        ],
        gui=[
            click(f"Orders of {months[1]}", "link"),
            wait(2000),
            finish(),
        ],
    )


def browser_bookmark(rng: random.Random) -> Draft:
    """The page in front bookmarked on the bookmarks bar."""
    city, other = rng.sample(CITIES, 2)
    config = [
        create_bookmarks([["bar", other, f"https://{other.lower()}.example/"]]),
        page_file("guide", f"Guide to {city}", "<p>Everything about the town.</p>"),
        open_page("guide"),
    ]
    return Draft(
        instruction="Bookmark the page that is open in Chromium on the bookmarks bar, after the "
        "bookmark that is there, and keep its title as the name.",
        config=config,
        evaluator=bookmarks_are(
            [
                ["bar", other, f"https://{other.lower()}.example/"],
                ["bar", f"Guide to {city}", page_url("guide")],
            ]
        ),
        api=[tool("chromium.bookmark_page"), finish()],
        gui=[
            key("ctrl", "d"),
            click("Folder", "select"),
            wait(700),
            key("home"),
            key("enter"),
            click("Done", "button"),
            finish(),
        ],
    )


def browser_bookmark_folder(rng: random.Random) -> Draft:
    """A bookmark in a new folder."""
    city = rng.choice(CITIES)
    folder = rng.choice(("Travel", "Holidays", "Plans"))
    return Draft(
        instruction=f'Bookmark the page that is open in Chromium as "{city}" in a new folder '
        f'"{folder}" on the bookmarks bar.',
        config=[
            page_file("town", f"Welcome to {city}", "<p>Sights and food.</p>"),
            open_page("town"),
        ],
        evaluator=bookmarks_are([["bar", folder, None], [f"bar/{folder}", city, page_url("town")]]),
        api=[tool("chromium.bookmark_page", folder=folder, title=city), finish()],
    )


def browser_clean_bookmarks(rng: random.Random) -> Draft:
    """A folder of bookmarks deleted, the others remaining."""
    deleted, remaining = rng.sample(("Old", "Recipes", "School", "Cars"), 2)
    names = rng.sample(CITIES, 4)
    places = [f"bar/{deleted}", f"bar/{deleted}", f"bar/{remaining}", "bar"]
    entries: list[list[str | None]] = [
        [place, name, f"https://{name.lower()}.example/"]
        for place, name in zip(places, names, strict=True)
    ]
    start = create_bookmarks(entries)
    return Draft(
        instruction=f'Delete the folder "{deleted}" with everything in it from Chromium\'s '
        "bookmarks bar. Keep all other bookmarks.",
        config=[start, page_file("start", "Start", "<p>Nothing here.</p>"), open_page("start")],
        evaluator=bookmarks_are([["bar", remaining, None], *entries[2:]]),
        api=[tool("chromium.remove_bookmarks", title=deleted), finish()],
    )


def browser_setting(rng: random.Random) -> Draft:
    """One setting changed."""
    size = rng.choice((12, 20, 24))
    description, changed, name, value = rng.choice(
        (
            (
                "always shows the bookmarks bar",
                {"bookmark_bar.show_on_all_tabs": True},
                "show_bookmarks_bar",
                True,
            ),
            ("shows the home button", {"browser.show_home_button": True}, "show_home_button", True),
            (
                "asks where to save each file before downloading",
                {"download.prompt_for_download": True},
                "ask_where_to_save",
                True,
            ),
            ('sends a "Do Not Track" request', {"enable_do_not_track": True}, "do_not_track", True),
            (
                f"uses a font size of {size}",
                {"webkit.webprefs.default_font_size": size},
                "font_size",
                size,
            ),
        )
    )
    return Draft(
        instruction=f"Change Chromium's settings so that it {description}. Change no other "
        "setting.",
        config=[page_file("start", "Start", "<p>Nothing here.</p>"), open_page("start")],
        evaluator=preferences_are(changed),
        api=[tool("chromium.set_setting", setting=name, value=value), finish()],
    )


def browser_close_tabs(rng: random.Random) -> Draft:
    """All tabs closed but one."""
    cities = rng.sample(CITIES, rng.randint(3, 4))
    kept_city, *other_cities = cities
    pages = [page_file(city.lower(), f"News from {city}", f"<p>{city}.</p>") for city in cities]
    evaluator = all_of(
        exact_match({"type": "chromium_tabs"}, [page_url(kept_city.lower())]),
        only_changed(),
    )
    return Draft(
        instruction=f'Close all tabs in Chromium but "News from {kept_city}", which stays open.',
        config=[*pages, *(open_page(city.lower()) for city in cities)],
        evaluator=evaluator,
        api=[tool("chromium.tabs"), *(tool("chromium.close_tab") for _ in other_cities), finish()],
        gui=[*(key("ctrl", "w") for _ in other_cities), wait(700), finish()],
    )


TEMPLATES = (
    DesktopTemplate(name="browser_price", apps=(CHROMIUM,), sample_draft=browser_price),
    DesktopTemplate(
        name="browser_follow_links",
        apps=(CHROMIUM,),
        sample_draft=browser_follow_links,
        max_steps=20,
    ),
    DesktopTemplate(name="browser_form", apps=(CHROMIUM,), sample_draft=browser_form, max_steps=20),
    DesktopTemplate(name="browser_download", apps=(CHROMIUM,), sample_draft=browser_download),
    DesktopTemplate(name="browser_bookmark", apps=(CHROMIUM,), sample_draft=browser_bookmark),
    DesktopTemplate(
        name="browser_bookmark_folder", apps=(CHROMIUM,), sample_draft=browser_bookmark_folder
    ),
    DesktopTemplate(
        name="browser_clean_bookmarks", apps=(CHROMIUM,), sample_draft=browser_clean_bookmarks
    ),
    DesktopTemplate(name="browser_setting", apps=(CHROMIUM,), sample_draft=browser_setting),
    DesktopTemplate(
        name="browser_close_tabs", apps=(CHROMIUM,), sample_draft=browser_close_tabs, max_steps=20
    ),
)
