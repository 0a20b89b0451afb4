"""Scripts for tasks that look something up: tables, search forms, suggestions, contacts."""

from __future__ import annotations

from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script

_RESULTS_ON_A_PAGE = 3
_MAX_CONTACTS = 6


def copy_from_table(page: LivePage) -> Moves:
    """The value of the row that the query names, or of each labelled box."""
    texts = page.texts
    if "value of" in page.query:
        names = [page.match_query(r"value of (.*?) into")[0]]
    else:
        names = [line.name.strip(":") for line in page.lines[1:] if line.name.endswith(":")]
    for index, name in enumerate(names):
        yield page.write(page.box(index), texts[texts.index(name) + 1])
    yield page.submit()


def movie_search(page: LivePage) -> Moves:
    """A form whose labels vary, and stand before or behind their boxes."""
    genre, director, year = page.match_query(r"for (.*) movies directed by (.*) from year (\d+)")
    values = {"genre": genre, "direct": director, "year": year, "date": year}
    lines = [line for line in page.lines[1:] if line.role == "box" or _key_of(line.name, values)]
    if lines[0].role == "box":
        lines.reverse()
    keys = [_key_of(line.name, values) for line in lines if line.role != "box"]
    refs = [line.ref for line in lines if line.role == "box"]
    for key, ref in zip(keys, refs, strict=True):
        box = next(line for line in page.all("box") if line.ref == ref)
        yield page.write(box, values[key or ""], f"{key} is #{ref}.")
    buttons = [name for name in ("Submit", "Search", "Go!") if page.find(name)]
    yield page.click(page.get(buttons[0]))


def _key_of(label: str, values: dict[str, str]) -> str | None:
    """The key that a field's label contains."""
    return next((key for key in values if key in label.lower()), None)


def search_engine(page: LivePage) -> Moves:
    """The nth result, which may be on a later page of results."""
    ordinal = int(page.match_query(r"click the (\d+)")[0])
    yield page.write(page.box(), page.quoted_texts[0])
    yield page.click(page.get("Search", "button"))
    page_index, place = divmod(ordinal - 1, _RESULTS_ON_A_PAGE)
    if page_index:
        number = page_index + 1
        yield page.click(page.get(str(number), "link"), f"Result {ordinal} is on page {number}.")
    thought = f"Result {ordinal} is number {place + 1} of page {page_index + 1}."
    yield page.click(page.all("link")[place], thought, called="")


def autocomplete(page: LivePage) -> Moves:
    """The query quotes the start of a suggestion, and maybe its end."""
    start, *rest = page.quoted_texts
    end = rest[0] if rest else ""
    yield page.write(page.box(), start)
    suggestions = (
        line
        for line in page.all("option", "menu")
        if line.name.startswith(start) and line.name.endswith(end)
    )
    yield page.click(next(suggestions))
    yield page.submit()


def phone_book(page: LivePage) -> Moves:
    """One contact a page, each with links by kind: e-mail, phone, address."""
    name, kind = page.match_query(r"Find (.+) in the contact book .* their (\w+)")
    for _ in range(_MAX_CONTACTS):
        if any(line.role == "heading" and line.name == name for line in page.lines):
            yield page.click(page.first_below(kind, "link"))
            return
        yield page.click(page.get(">", "link"), f"This is not {name}: I turn the page.")


SCRIPTS: dict[str, Script] = {
    "read-table": copy_from_table,
    "read-table-2": copy_from_table,
    "multi-layouts": movie_search,
    "multi-orderings": movie_search,
    "search-engine": search_engine,
    "use-autocomplete": autocomplete,
    "use-autocomplete-nodelay": autocomplete,
    "phone-book": phone_book,
}
