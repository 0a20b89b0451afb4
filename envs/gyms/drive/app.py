"""The drive's lists, folders and files, and what is done with them; its site tools.

`sharing.py` adds the pages on who may see a file, its versions and its comments.
"""

from __future__ import annotations

import random
from typing import Any

from markupsafe import Markup

from envs.gyms.drive import rules
from envs.gyms.drive.data import FOLDER, KINDS, OFF, ROOT, fresh
from envs.gyms.gym import Refused, State
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import App, Here
from envs.gyms.kit.html import (
    Child,
    Field,
    badge,
    button,
    confirm,
    details,
    dragged,
    el,
    form,
    join,
    link,
    menu,
    note,
    section,
)
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.site_tools import Tools, site_tool
from envs.gyms.pages import Redirect

WITH_ME, BY_ME, PRIVATE = "Shared with me", "Shared by me", "Private"


def _stray(state: State, rng: random.Random) -> None:
    file = rng.choice(state["files"])
    rules.set_star(state, file["id"], not file["starred"])


@site_tool("drive.find")
def find(here: Tools, text: str, kind: str | None = None) -> list[dict[str, Any]]:
    """Files and folders that are not in the trash and whose name contains the text, at most 20: id,
    name, kind, path of the folder, owner, size in KB and ISO date of the last change (None for
    folders). kind: Document, Sheet, Slides, PDF, Image or Folder."""
    found: list[dict[str, Any]] = []
    for item in rules.living(here.state):
        if text.lower() in item["name"].lower() and kind in (None, kind_of(item)):
            found.append(
                {
                    "id": item["id"],
                    "name": item["name"],
                    "kind": kind_of(item),
                    "path": rules.path_of(here.state, rules.place_of(item)),
                    "owner": here.world.person(item["owner"]).name,
                    "size": item.get("size"),
                    "modified": item.get("modified"),
                }
            )
    return found[:20]


@site_tool("drive.star")
def star(here: Tools, file: str, starred: bool = True) -> str:
    """Stars a file by its id, or takes the star away."""
    rules.set_star(here.state, file, starred)
    return "done"


@site_tool("drive.share")
def share(here: Tools, file: str, person: str, role: str) -> str:
    """Shares a file by its id with a person by full name. role: Viewer, Commenter or Editor."""
    for one in here.world.people:
        if one.name == person:
            rules.share(here.state, here.world.user.id, file, one.id, role)
            return f"shared with {person}"
    raise Refused(f"there is nobody called {person[:40]!r}")


@site_tool("drive.move")
def move(here: Tools, item: str, folder: str) -> str:
    """Moves a file or folder to a folder, both by id. My Drive itself is the folder "root"."""
    rules.move(here.state, here.world.user.id, item, folder)
    return f"moved to {rules.path_of(here.state, folder)}"


@site_tool("drive.create_folder")
def create_folder(here: Tools, name: str, inside: str = ROOT) -> str:
    """Makes a folder inside of another (by id); gives the new one's id."""
    made = rules.create_folder(here.state, here.world.user.id, name, inside)
    return str(made["id"])


DRIVE = App(
    "drive",
    "Drive",
    (("My Drive", "/"), ("All files", "/files"), ("Shared with me", "/shared"),
     ("Starred", "/starred"), ("Trash", "/trash"), ("Storage", "/storage")),
    fresh,
    _stray,
    (find, star, share, move, create_folder),
)  # fmt: skip


def kind_of(item: Item) -> str:
    return str(item.get("kind", FOLDER))


def size_text(item: Item) -> str:
    return f"{item['size']} KB" if rules.is_file(item) else "-"


def person(here: Here, key: str) -> str:
    return here.world.person(key).name


def day_text(here: Here, day: str) -> str:
    return here.look.date(day) if day else "-"


def crumbs(here: Here, item: Item) -> Markup:
    """The way to it, each folder a link."""
    links: list[Child] = []
    for one in rules.way_to(here.state, item):
        links += [link(one["name"], here.url(f"/items/{one['id']}"), f"Up to {one['name']}"), " / "]
    return el("p", links, item["name"])


def _shared(here: Here, item: Item) -> str:
    if item["owner"] != here.world.user.id:
        return WITH_ME
    shared = rules.is_file(item) and (item["shares"] or item["link"] != OFF)
    return BY_ME if shared else PRIVATE


def _dragged(here: Here, item: Item, name: Markup) -> Markup:
    """A name that can be dragged onto that of a folder, where the user may move the item."""
    drop = None if rules.is_file(item) else item["id"]
    if not rules.may(item, here.world.user.id, rules.OWNER if drop else "Editor"):
        return el("span", name, data_drop=drop)
    action = here.url(f"/items/{item['id']}/drop")
    return el("span", name, dragged(here, action), data_card=True, data_drop=drop)


def _listing(
    here: Here, items: list[Item], first: str = "Name", empty: str = "", drag: bool = False
) -> Listing:
    """`first`: the order it comes in. Namesakes on one list are told apart by their folders."""
    names = [item["name"].casefold() for item in items]

    def named(item: Item) -> Markup:
        label = None
        if names.count(item["name"].casefold()) > 1:
            label = f"{item['name']} in {rules.path_of(here.state, rules.place_of(item))}"
        name = link(item["name"], here.url(f"/items/{item['id']}"), label)
        return _dragged(here, item, name) if drag else name

    def age(item: Item) -> tuple[str, str]:
        return (item.get("modified", ""), item["name"].casefold())

    sorts = (
        Sort("Name", lambda i: (i["name"].casefold(), i["id"])),
        Sort("Last modified", age, descending=True),
        Sort("Oldest", lambda i: (not rules.is_file(i), *age(i))),
        Sort("Largest", lambda i: (i.get("size", 0), i["id"]), descending=True),
        Sort("Smallest", lambda i: (not rules.is_file(i), i.get("size", 0), i["id"])),
    )
    owners = sorted({person(here, item["owner"]) for item in items})
    return Listing(
        columns=(
            Column("Name", named),
            Column("Kind", kind_of),
            Column("Owner", lambda i: person(here, i["owner"])),
            Column("Size", size_text),
            Column("Modified", lambda i: day_text(here, i.get("modified", ""))),
            Column("", lambda i: badge("Starred") if i.get("starred") else None),
        ),
        words=lambda i: f"{i['name']} {person(here, i['owner'])}",
        sorts=sorted(sorts, key=lambda sort: sort.title != first),
        filters=(
            Filter("kind", "Kind", (*KINDS, FOLDER), kind_of),
            Filter("owner", "Owner", owners, lambda i: person(here, i["owner"])),
            Filter(
                "shared", "Sharing", (WITH_ME, BY_ME, PRIVATE), lambda i: _shared(here, i)
            ),
        ),
        empty=empty or "Nothing was found. Try other words or fewer filters",
    )  # fmt: skip


@DRIVE.get("/")
def my_drive(here: Here) -> str:
    return _folder(here, rules.folder_of(here.state, ROOT))


@DRIVE.get("/files")
def files(here: Here) -> str:
    here.note("files")
    items = rules.living(here.state)
    return page(here, "All files", _listing(here, items).show(here, items))


@DRIVE.get("/shared")
def shared(here: Here) -> str:
    here.note("shared")
    items = [item for item in rules.living(here.state) if _shared(here, item) == WITH_ME]
    listing = _listing(here, items, "Last modified", "Nobody has shared anything with you")
    return page(here, "Shared with me", listing.show(here, items))


@DRIVE.get("/starred")
def starred(here: Here) -> str:
    here.note("starred")
    items = [item for item in rules.living(here.state) if item.get("starred")]
    listing = _listing(here, items, empty="Nothing is starred")
    return page(here, "Starred", listing.show(here, items))


@DRIVE.get("/trash")
def trash(here: Here) -> str:
    here.note("trash")
    items = rules.trashed(here.state)
    listing = _listing(here, items, empty="The trash is empty")
    question = "Everything of yours in the trash is then gone for good."
    empty = confirm(here, "empty", "Empty trash", question) if items else None
    return page(here, "Trash", listing.show(here, items), empty)


@DRIVE.post("/trash/empty")
def trash_empty(here: Here) -> Redirect:
    rules.empty_trash(here.state, here.world.user.id)
    return here.to("/trash", "The trash was emptied")


@DRIVE.get("/storage")
def storage(here: Here) -> str:
    here.note("storage")
    mine = [file for file in here.state["files"] if file["owner"] == here.world.user.id]
    thrown = [file for file in mine if rules.in_trash(here.state, file)]
    items = [file for file in mine if file not in thrown]
    kinds = [(kind, f"{sum(i['size'] for i in items if i['kind'] == kind)} KB") for kind in KINDS]
    return page(
        here, "Storage",
        details(
            ("Used by your files", f"{sum(file['size'] for file in items)} KB"),
            ("Files you own", len(items)),
            ("Still in the trash", f"{sum(file['size'] for file in thrown)} KB"), *kinds,
        ),
        section("Your files", _listing(here, items, "Largest").show(here, items)),
    )  # fmt: skip


@DRIVE.get("/items/{key}")
def item(here: Here, key: str) -> str:
    found = rules.item_of(here.state, key)
    return _file(here, found) if rules.is_file(found) else _folder(here, found)


def _folder(here: Here, folder: Item) -> str:
    key = folder["id"]
    here.note(f"folder:{key}")
    below = f"/items/{key}"
    items = rules.children(here.state, key)
    inside = join((
        el("div", link("New folder", here.url(f"{below}/new")),
           _folder_menu(here, folder) if key != ROOT else None, class_="row"),
        note("Drag a name onto a folder to move it") if items else None,
        _listing(here, items, empty="Nothing is in this folder", drag=True).show(here, items),
    ))  # fmt: skip
    return page(
        here, "Folder", crumbs(here, folder) if key != ROOT else None,
        _thrown(here, folder) if folder["trashed"] else inside, heading=folder["name"],
    )  # fmt: skip


def _folder_menu(here: Here, folder: Item) -> Markup:
    below = f"/items/{folder['id']}"
    if not rules.may(folder, here.world.user.id, rules.OWNER):
        return el("span", f"This folder belongs to {person(here, folder['owner'])}")
    return menu(
        "More", link("Rename", here.url(f"{below}/rename")),
        link("Move", here.url(f"{below}/move")),
        confirm(here, "trash", "Move to trash", "All that is in this folder goes with it."),
    )  # fmt: skip


def _thrown(here: Here, item: Item) -> Markup:
    """What can be done with something in the trash."""
    since = note(f"In the trash since {here.look.date(item['trashed'])}")
    if not rules.may(item, here.world.user.id, rules.OWNER):
        return since
    question = f"{item['name']} can then not be restored any more."
    return join((
        since, button(here, "restore", "Restore"),
        confirm(here, "delete", "Delete for good", question),
    ))  # fmt: skip


def _file(here: Here, file: Item) -> str:
    key, me = file["id"], here.world.user.id
    here.note(f"file:{key}")
    where = rules.path_of(here.state, file["folder"])
    still_open = sum(not comment["resolved"] for comment in file["comments"])
    return page(
        here, "File", crumbs(here, file),
        details(
            ("Kind", file["kind"]), ("Owner", person(here, file["owner"])),
            ("Your role", rules.role_of(file, me)), ("Size", size_text(file)),
            ("Modified", here.look.date(file["modified"])), ("Folder", where),
            ("Starred", "Yes" if file["starred"] else "No"), ("Link access", file["link"]),
            ("Open comments", still_open),
        ),
        el("p", f"Description {file['description'] or '-'}"),
        _thrown(here, file) if file["trashed"] else _file_actions(here, file),
        heading=file["name"],
    )  # fmt: skip


def _file_actions(here: Here, file: Item) -> Markup:
    key, me = file["id"], here.world.user.id
    below = here.url(f"/items/{key}")
    editor = rules.may(file, me, "Editor")
    turn = button(here, "unstar", "Unstar") if file["starred"] else button(here, "star", "Star")
    question = f"{file['name']} stays in the trash until you delete it for good."
    more = menu(
        "More",
        link("Make a copy", f"{below}/copy"),
        link("Edit description", f"{below}/description") if editor else None,
        link("Transfer ownership", f"{below}/transfer"),
        confirm(here, "trash", "Move to trash", question)
        if rules.may(file, me, rules.OWNER) else None,
    )  # fmt: skip
    return el(
        "div", turn, [link("Rename", f"{below}/rename"), link("Move", f"{below}/move")]
        if editor else None,
        link("Sharing", f"{below}/sharing"), link("Versions", f"{below}/versions"),
        link("Comments", f"{below}/comments"), more, class_="row",
    )  # fmt: skip


@DRIVE.post("/items/{key}/star")
def item_star(here: Here, key: str) -> Redirect:
    rules.set_star(here.state, key, True)
    return here.to(f"/items/{key}", "Starred")


@DRIVE.post("/items/{key}/unstar")
def item_unstar(here: Here, key: str) -> Redirect:
    rules.set_star(here.state, key, False)
    return here.to(f"/items/{key}", "No longer starred")


@DRIVE.post("/items/{key}/trash")
def item_trash(here: Here, key: str) -> Redirect:
    place = rules.place_of(rules.item_of(here.state, key))
    rules.trash(here.state, here.world.user.id, key, here.world.today)
    return here.to(f"/items/{place}", "Moved to the trash")


@DRIVE.post("/items/{key}/restore")
def item_restore(here: Here, key: str) -> Redirect:
    rules.restore(here.state, here.world.user.id, key)
    return here.to(f"/items/{key}", "Restored")


@DRIVE.post("/items/{key}/delete")
def item_delete(here: Here, key: str) -> Redirect:
    rules.delete(here.state, here.world.user.id, key)
    return here.to("/trash", "Deleted for good")


@DRIVE.get("/items/{key}/rename")
def rename(here: Here, key: str) -> str:
    found = rules.item_of(here.state, key)
    fields = (Field("name", "Name", value=found["name"]),)
    return page(
        here, "Rename", form(here, "save", fields, "Save name", f"/items/{key}"),
        heading=f"Rename {found['name']}",
    )  # fmt: skip


@DRIVE.post("/items/{key}/rename/save")
def rename_save(here: Here, key: str) -> Redirect:
    rules.rename(here.state, here.world.user.id, key, here.required("name", "Name"))
    return here.to(f"/items/{key}", "Renamed")


def _folder_choice(here: Here, chosen: str) -> Field:
    alive = [f for f in here.state["folders"] if not rules.in_trash(here.state, f)]
    options = [(f["id"], rules.path_of(here.state, f["id"])) for f in alive]
    return Field("folder", "Folder", "choice", chosen, sorted(options, key=lambda pair: pair[1]))


@DRIVE.get("/items/{key}/move")
def item_move(here: Here, key: str) -> str:
    found = rules.item_of(here.state, key)
    fields = (_folder_choice(here, rules.place_of(found)),)
    return page(
        here, "Move", form(here, "save", fields, "Move here", f"/items/{key}"),
        heading=f"Move {found['name']}",
    )  # fmt: skip


@DRIVE.post("/items/{key}/move/save")
def move_save(here: Here, key: str) -> Redirect:
    rules.move(here.state, here.world.user.id, key, here.form.get("folder", ""))
    return here.to(f"/items/{key}", "Moved")


@DRIVE.post("/items/{key}/drop")
def item_drop(here: Here, key: str) -> Redirect:
    place = rules.place_of(rules.item_of(here.state, key))
    rules.move(here.state, here.world.user.id, key, here.form.get("to", ""))
    return here.to(f"/items/{place}", "Moved")


@DRIVE.get("/items/{key}/copy")
def item_copy(here: Here, key: str) -> str:
    found = rules.file_of(here.state, key)
    fields = (
        Field("name", "Name of the copy", value=f"{found['name']} - copy"),
        _folder_choice(here, found["folder"]),
    )
    return page(
        here, "Copy", form(here, "save", fields, "Create copy", f"/items/{key}"),
        heading=f"Copy {found['name']}",
    )  # fmt: skip


@DRIVE.post("/items/{key}/copy/save")
def copy_save(here: Here, key: str) -> Redirect:
    made = rules.copy_file(
        here.state, here.world.user.id, key, here.required("name", "Name of the copy"),
        here.form.get("folder", ""), here.world.today,
    )  # fmt: skip
    return here.to(f"/items/{made['id']}", f"Created {made['name']}")


@DRIVE.get("/items/{key}/description")
def description(here: Here, key: str) -> str:
    found = rules.file_of(here.state, key)
    fields = (Field("text", "Description", "long", found["description"]),)
    return page(
        here, "Description", form(here, "save", fields, "Save description", f"/items/{key}"),
        heading=f"Description of {found['name']}",
    )  # fmt: skip


@DRIVE.post("/items/{key}/description/save")
def description_save(here: Here, key: str) -> Redirect:
    text = " ".join(here.form.get("text", "").split())
    rules.describe(here.state, here.world.user.id, key, text)
    return here.to(f"/items/{key}", "Description saved")


@DRIVE.get("/items/{key}/new")
def folder_new(here: Here, key: str) -> str:
    parent = rules.folder_of(here.state, key)
    return page(
        here, "New folder",
        form(here, "create", (Field("name", "Name"),), "Create folder", f"/items/{key}"),
        heading=f"New folder in {parent['name']}",
    )  # fmt: skip


@DRIVE.post("/items/{key}/new/create")
def folder_create(here: Here, key: str) -> Redirect:
    name = here.required("name", "Name")
    made = rules.create_folder(here.state, here.world.user.id, name, key)
    return here.to(f"/items/{made['id']}", f"Created {name}")
