"""What the drive allows. Each rule changes the app's state, or raises Refused or NotFound.

`me` is the id of who asks: what one may do with a file follows from one's role on it. A folder is
its owner's to rename, move and throw away; anyone may put something into it.
"""

from __future__ import annotations

import copy

from envs.gyms.drive.data import LINKS, OFF, ROLES, ROOT, Item
from envs.gyms.gym import NotFound, Refused, State

OWNER = "Owner"
RANKS = (*ROLES, OWNER)
MAX_NAME, MAX_TEXT = 60, 300


def folder_of(state: State, key: str) -> Item:
    """Raises NotFound."""
    return _one(state["folders"], key, "folder")


def file_of(state: State, key: str) -> Item:
    """Raises NotFound."""
    return _one(state["files"], key, "file")


def item_of(state: State, key: str) -> Item:
    """A file or a folder. Raises NotFound."""
    return _one([*state["folders"], *state["files"]], key, "file or folder")


def _one(items: list[Item], key: str, what: str) -> Item:
    for item in items:
        if item["id"] == key:
            return item
    raise NotFound(f"There is no {what} {key[:20]}")


def is_file(item: Item) -> bool:
    return "folder" in item


def place_of(item: Item) -> str:
    """Id of the folder that it is in; empty for My Drive itself."""
    return str(item["folder"] if is_file(item) else item["parent"])


def way_to(state: State, item: Item) -> list[Item]:
    """The folders above it, from My Drive down."""
    above: list[Item] = []
    at = place_of(item)
    while at:
        above.insert(0, folder_of(state, at))
        at = above[0]["parent"]
    return above


def path_of(state: State, key: str) -> str:
    """Of a folder: "My Drive / Finance / Taxes"."""
    folder = folder_of(state, key)
    return " / ".join(one["name"] for one in (*way_to(state, folder), folder))


def in_trash(state: State, item: Item) -> bool:
    return any(one["trashed"] for one in (item, *way_to(state, item)))


def children(state: State, key: str) -> list[Item]:
    """What is in a folder, but for what was thrown away from it."""
    items = [*state["folders"], *state["files"]]
    return [item for item in items if place_of(item) == key and not item["trashed"]]


def living(state: State) -> list[Item]:
    """All files and folders, but for My Drive itself and for what is in the trash."""
    items = [*state["folders"][1:], *state["files"]]
    return [item for item in items if not in_trash(state, item)]


def role_of(item: Item, person: str) -> str:
    """Owner, one of ROLES, or Viewer for everybody else in the company."""
    if item["owner"] == person:
        return OWNER
    shares = item.get("shares", ())
    return next((one["role"] for one in shares if one["id"] == person), ROLES[0])


def may(item: Item, person: str, role: str) -> bool:
    """Whether somebody has this role on it, or a higher one."""
    return RANKS.index(role_of(item, person)) >= RANKS.index(role)


def _needs(item: Item, me: str, role: str, what: str) -> None:
    if item["trashed"]:
        raise Refused("This is in the trash: restore it first")
    needed = role if is_file(item) else OWNER
    if item["id"] == ROOT:
        raise Refused(f"My Drive itself cannot be changed: {what}")
    if not may(item, me, needed):
        kind = "the owner" if needed == OWNER else f"people with the role {role}"
        raise Refused(f"Only {kind} can {what}")


def _free(state: State, name: str, place: str, but: str = "") -> None:
    for item in children(state, place):
        if item["name"].casefold() == name.casefold() and item["id"] != but:
            raise Refused(f"{folder_of(state, place)['name']} has an item called {name} already")


def _good_name(name: str) -> None:
    if not name or len(name) > MAX_NAME or "/" in name:
        raise Refused(f"A name has 1 to {MAX_NAME} characters and no /")


def rename(state: State, me: str, key: str, name: str) -> None:
    item = item_of(state, key)
    _needs(item, me, "Editor", "rename this")
    _good_name(name)
    if name == item["name"]:
        raise Refused("It is called so already")
    _free(state, name, place_of(item), key)
    item["name"] = name


def move(state: State, me: str, key: str, to: str) -> None:
    item, target = item_of(state, key), folder_of(state, to)
    _needs(item, me, "Editor", "move this")
    if key in [one["id"] for one in (*way_to(state, target), target)]:
        raise Refused("A folder cannot be moved into itself")
    if in_trash(state, target):
        raise Refused("That folder is in the trash")
    if place_of(item) == to:
        raise Refused("It is in that folder already")
    _free(state, item["name"], to)
    item["folder" if is_file(item) else "parent"] = to


def copy_file(state: State, me: str, key: str, name: str, to: str, day: str) -> Item:
    """The copy belongs to who made it and is shared with nobody."""
    file = file_of(state, key)
    _needs(file, me, "Viewer", "copy this")
    _good_name(name)
    _free(state, name, to)
    first = {"id": "v1", "day": day, "by": me, "size": file["size"], "note": "First version"}
    made = copy.deepcopy(file) | {
        "id": _next(state["files"], "d"), "name": name, "folder": to, "owner": me, "modified": day,
        "starred": False, "link": OFF, "until": "", "shares": [], "versions": [first],
        "comments": [],
    }  # fmt: skip
    state["files"].append(made)
    return made


def _next(items: list[Item], letter: str) -> str:
    numbers = [int(item["id"][1:]) for item in items if item["id"] != ROOT]
    return f"{letter}{1 + max(numbers, default=0)}"


def next_folder(state: State) -> str:
    """The id that the next new folder gets."""
    return _next(state["folders"], "f")


def create_folder(state: State, me: str, name: str, inside: str) -> Item:
    parent = folder_of(state, inside)
    if in_trash(state, parent):
        raise Refused("That folder is in the trash")
    _good_name(name)
    _free(state, name, inside)
    made = {"id": next_folder(state), "name": name, "parent": inside, "owner": me, "trashed": ""}
    state["folders"].append(made)
    return made


def set_star(state: State, key: str, starred: bool) -> None:
    file_of(state, key)["starred"] = starred


def describe(state: State, me: str, key: str, text: str) -> None:
    file = file_of(state, key)
    _needs(file, me, "Editor", "describe this")
    if len(text) > MAX_TEXT:
        raise Refused("The description is too long")
    file["description"] = text


def trash(state: State, me: str, key: str, day: str) -> None:
    item = item_of(state, key)
    _needs(item, me, OWNER, "move this to the trash")
    item["trashed"] = day


def restore(state: State, me: str, key: str) -> None:
    """To where it was, or to My Drive if that folder is in the trash too."""
    item = _thrown_away(state, me, key, "restore this")
    place = place_of(item)
    if in_trash(state, folder_of(state, place)):
        place = ROOT
    _free(state, item["name"], place)
    item["folder" if is_file(item) else "parent"] = place
    item["trashed"] = ""


def delete(state: State, me: str, key: str) -> None:
    """For good, with all that is in it."""
    item = _thrown_away(state, me, key, "delete this")
    gone = {key} | {
        one["id"]
        for one in (*state["folders"], *state["files"])
        if any(above["id"] == item["id"] for above in way_to(state, one))
    }
    for kind in ("folders", "files"):
        state[kind] = [one for one in state[kind] if one["id"] not in gone]


def _thrown_away(state: State, me: str, key: str, what: str) -> Item:
    item = item_of(state, key)
    if not item["trashed"]:
        raise Refused("This is not in the trash")
    if not may(item, me, OWNER):
        raise Refused(f"Only the owner can {what}")
    return item


def trashed(state: State) -> list[Item]:
    """What was thrown away, not what is inside of it."""
    return [item for item in (*state["folders"], *state["files"]) if item["trashed"]]


def empty_trash(state: State, me: str) -> None:
    keys = [item["id"] for item in trashed(state) if item["owner"] == me]
    if not keys:
        raise Refused("The trash is empty")
    for key in keys:
        if any(item["id"] == key for item in trashed(state)):
            delete(state, me, key)


# Sharing.


def _share_of(file: Item, person: str) -> Item:
    return _one(file["shares"], person, "access of")


def share(state: State, me: str, key: str, person: str, role: str) -> None:
    file = file_of(state, key)
    _needs(file, me, "Editor", "share this")
    if role not in ROLES:
        raise Refused("Choose one: Role")
    if file["owner"] == person or any(one["id"] == person for one in file["shares"]):
        raise Refused("This person has access already: open the name to change the role")
    file["shares"].append({"id": person, "role": role})


def change_role(state: State, me: str, key: str, person: str, role: str) -> None:
    file = file_of(state, key)
    _needs(file, me, "Editor", "change roles")
    if role not in ROLES:
        raise Refused("Choose one: Role")
    if person == me:
        raise Refused("You cannot change your own role")
    _share_of(file, person)["role"] = role


def stop_sharing(state: State, me: str, key: str, person: str) -> None:
    file = file_of(state, key)
    _needs(file, me, "Editor", "stop sharing this")
    if person == me:
        raise Refused("You cannot remove yourself")
    file["shares"].remove(_share_of(file, person))


def transfer(state: State, me: str, key: str, person: str) -> None:
    """The owner before stays an editor."""
    file = file_of(state, key)
    _needs(file, me, OWNER, "transfer this")
    if person == file["owner"]:
        raise Refused("This person is the owner already")
    kept = [one for one in file["shares"] if one["id"] != person]
    file["shares"] = [*kept, {"id": file["owner"], "role": "Editor"}]
    file["owner"] = person


def set_link(state: State, me: str, key: str, link: str, until: str, today: str) -> None:
    """`until`: an ISO date, or empty for no end."""
    file = file_of(state, key)
    _needs(file, me, "Editor", "change link access")
    if link not in LINKS:
        raise Refused("Choose one: Link access")
    if until and link == OFF:
        raise Refused("Link access that is off has no end: clear Ends on")
    if until and until <= today:
        raise Refused("Ends on must be in the future")
    file |= {"link": link, "until": until}


# Versions and comments.


def restore_version(state: State, me: str, key: str, version: str, day: str) -> None:
    """Makes an old version the newest; nothing is lost."""
    file = file_of(state, key)
    _needs(file, me, "Editor", "restore versions")
    old = _one(file["versions"], version, "version")
    if old is file["versions"][-1]:
        raise Refused("This is the newest version already")
    file["versions"].append(
        {
            "id": f"v{len(file['versions']) + 1}",
            "day": day,
            "by": me,
            "size": old["size"],
            "note": f"Restored version {version[1:]}",
        }
    )
    file |= {"size": old["size"], "modified": day}


def add_comment(state: State, me: str, key: str, text: str, day: str) -> None:
    file = file_of(state, key)
    _needs(file, me, "Commenter", "comment on this")
    if len(text) > MAX_TEXT:
        raise Refused("The comment is too long")
    number = len(file["comments"]) + 1
    made = {"id": f"c{number}", "by": me, "day": day, "text": text, "resolved": False}
    file["comments"].append(made)


def set_resolved(state: State, me: str, key: str, comment: str, resolved: bool) -> None:
    file = file_of(state, key)
    _needs(file, me, "Editor", "resolve comments")
    _one(file["comments"], comment, "comment")["resolved"] = resolved
