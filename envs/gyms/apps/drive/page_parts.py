"""What several of the drive's pages show: lists of items, the path to an item, dates and sizes."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.drive import lookup
from envs.gyms.apps.drive.vocabulary import FOLDER, KINDS, OFF, Item
from envs.gyms.kit.html import Child, badge, drag_form, el, link
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.request import RequestContext

WITH_ME, BY_ME, PRIVATE = "Shared with me", "Shared by me", "Private"


def format_size(item: Item) -> str:
    """ "12 KB"; "-" for folders."""
    return f"{item['size']} KB" if lookup.is_file(item) else "-"


def person_name(request: RequestContext, key: str) -> str:
    """Full name."""
    return request.world.person(key).name


def format_day(request: RequestContext, day: str) -> str:
    """A date in the world's locale; an empty one as "-"."""
    return request.locale.format_date(day) if day else "-"


def breadcrumbs(request: RequestContext, item: Item) -> Markup:
    """The path to an item, each folder a link."""
    links: list[Child] = []
    for ancestor in lookup.ancestors_of(request.state, item):
        links += [
            link(
                ancestor["name"],
                request.url(f"/items/{ancestor['id']}"),
                f"Up to {ancestor['name']}",
            ),
            " / ",
        ]
    return el("p", links, item["name"], class_="crumbs")


def sharing_of(request: RequestContext, item: Item) -> str:
    """The item's option in the filter of sharing."""
    if item["owner"] != request.world.user.id:
        return WITH_ME
    shared = lookup.is_file(item) and (item["shares"] or item["link"] != OFF)
    return BY_ME if shared else PRIVATE


def _make_draggable(request: RequestContext, item: Item, name: Markup) -> Markup:
    """A name that can be dragged onto that of a folder, where the user may move the item."""
    drop = None if lookup.is_file(item) else item["id"]
    if not lookup.has_role(item, request.world.user.id, lookup.OWNER if drop else "Editor"):
        return el("span", name, data_drop=drop)
    action = request.url(f"/items/{item['id']}/drop")
    return el("span", name, drag_form(request, action), data_card=True, data_drop=drop)


def make_listing(
    request: RequestContext,
    items: list[Item],
    default_sort: str = "Name",
    empty: str = "",
    draggable: bool = False,
) -> Listing:
    """Items as a list that can be searched, filtered and sorted.

    Items of the same name on one list get their folders into their links' labels."""
    names = [item["name"].casefold() for item in items]

    def render_name(item: Item) -> Markup:
        label = None
        if names.count(item["name"].casefold()) > 1:
            label = f"{item['name']} in {lookup.folder_path(request.state, lookup.parent_id(item))}"
        name = link(item["name"], request.url(f"/items/{item['id']}"), label)
        return _make_draggable(request, item, name) if draggable else name

    return Listing(
        columns=(
            Column("Name", render_name, "name"),
            Column("Kind", lookup.kind_of),
            Column("Owner", lambda i: person_name(request, i["owner"])),
            Column("Size", format_size, "size"),
            Column("Modified", lambda i: format_day(request, i.get("modified", ""))),
            Column("", lambda i: badge("Starred") if i.get("starred") else None),
        ),
        searchable_text=lambda i: f"{i['name']} {person_name(request, i['owner'])}",
        sorts=sorted(_SORTS, key=lambda sort: sort.title != default_sort),
        filters=_make_filters(request, items),
        row_style=lambda item: lookup.kind_of(item).lower(),
        row_menu=lambda item: _list_menu(request, item),
        empty=empty or "Nothing was found. Try other words or fewer filters",
    )


def _list_menu(request: RequestContext, item: Item) -> list[tuple[str, str]]:
    """What a right click on an item offers: the places that its own page leads to."""
    place = request.url(f"/items/{item['id']}")
    entries = [("Open", place)]
    if item.get("trashed"):
        return entries
    if not lookup.is_file(item):
        is_own = lookup.has_role(item, request.world.user.id, lookup.OWNER)
        below = ["Rename", "Move"] if is_own else []
    else:
        is_editor = lookup.has_role(item, request.world.user.id, "Editor")
        to_editors = ["Move"] if is_editor else []
        below = ["Rename", *to_editors, "Sharing", "Versions", "Comments"]
    return entries + [(text, f"{place}/{text.lower()}") for text in below]


def _age_key(item: Item) -> tuple[str, str]:
    return (item.get("modified", ""), item["name"].casefold())


_SORTS = (
    Sort("Name", lambda i: (i["name"].casefold(), i["id"])),
    Sort("Last modified", _age_key, descending=True),
    Sort("Oldest", lambda i: (not lookup.is_file(i), *_age_key(i))),
    Sort("Largest", lambda i: (i.get("size", 0), i["id"]), descending=True),
    Sort("Smallest", lambda i: (not lookup.is_file(i), i.get("size", 0), i["id"])),
)
"""Folders have neither size nor day: they come last where small or old files come first."""


def _make_filters(request: RequestContext, items: list[Item]) -> tuple[Filter, ...]:
    def owner_of(item: Item) -> str:
        return person_name(request, item["owner"])

    return (
        Filter("kind", "Kind", options=(*KINDS, FOLDER), get_option=lookup.kind_of),
        Filter("owner", "Owner", options=sorted(set(map(owner_of, items))), get_option=owner_of),
        Filter(
            "shared",
            "Sharing",
            options=(WITH_ME, BY_ME, PRIVATE),
            get_option=lambda item: sharing_of(request, item),
        ),
    )


def render_preview(file: Item) -> Markup:
    """A drawing of what kind of thing it is; no part of the page's tree."""
    paper = el("rect", x=6, y=4, width=36, height=42)
    body = el("path", d=_PREVIEWS[file["kind"]])
    drawing = el("svg", paper, body, viewBox="0 0 48 50", aria_hidden="true")
    return el("div", drawing, class_=f"preview {file['kind'].lower()}")


_PREVIEWS = {
    "Document": "M11 11h18M11 17h26M11 21h26M11 25h22M11 31h26M11 35h26M11 39h14",
    "Sheet": "M10 10h28v30H10zM10 16h28M10 22h28M10 28h28M10 34h28M19 10v30M29 10v30",
    "Slides": "M10 12h28v18H10zM14 26v-5M19 26v-9M24 26v-6M29 26v-8M11 36h26M11 40h18",
    "PDF": "M11 11h26v10H11zM11 26h26M11 30h26M11 34h20M11 40h10",
    "Image": "M9 10h30v28H9zM9 33l9-10 7 7 5-5 9 9M30 15a2 2 0 100 5 2 2 0 000-5z",
}
"""The lines on the paper, by kind."""


def link_back(request: RequestContext, key: str) -> str:
    """A link to the file's page."""
    return el("p", link("Back to the file", request.url(f"/items/{key}")))


def list_colleagues(request: RequestContext, file: Item) -> list[tuple[str, str]]:
    """Ids and names of everybody but the owner, by name."""
    people = [
        (colleague.id, colleague.name)
        for colleague in request.world.people
        if colleague.id != file["owner"]
    ]
    return sorted(people, key=lambda pair: pair[1])
