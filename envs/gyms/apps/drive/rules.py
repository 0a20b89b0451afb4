"""What the drive allows with files and folders: naming, moving, copying, the trash.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing. `actor` is the
id of the person who acts: the role on a file decides what is allowed. A folder is its owner's to
rename, move and throw away; anyone may put something into it.
"""

from __future__ import annotations

import copy

from envs.gyms.apps.drive.lookup import (
    OWNER,
    ancestors_of,
    get_file,
    get_folder,
    get_item,
    has_role,
    is_file,
    is_in_trash,
    list_children,
    list_trash,
    parent_id,
)
from envs.gyms.apps.drive.vocabulary import OFF, ROOT, Item
from envs.gyms.server.gym import Refused, State

MAX_NAME, MAX_TEXT = 60, 300


def require_role(item: Item, actor: str, role: str, purpose: str) -> None:
    """Raises Refused for items in the trash, My Drive, and people without the role."""
    if item["trashed"]:
        raise Refused("This is in the trash: restore it first")
    required_role = role if is_file(item) else OWNER
    if item["id"] == ROOT:
        raise Refused(f"My Drive itself cannot be changed: {purpose}")
    if not has_role(item, actor, required_role):
        kind = "the owner" if required_role == OWNER else f"people with the role {role}"
        # The verb of the purpose: "rename this" is logged as "refused:rename:<id>".
        event = f"refused:{purpose.split()[0]}:{item['id']}"
        raise Refused(f"Only {kind} can {purpose}", event=event)


def require_free_name(state: State, name: str, folder: str, except_key: str = "") -> None:
    """Raises Refused if another item in the folder has the name, in any case."""
    for item in list_children(state, folder):
        if item["name"].casefold() == name.casefold() and item["id"] != except_key:
            raise Refused(f"{get_folder(state, folder)['name']} has an item called {name} already")


def require_valid_name(name: str) -> None:
    """Raises Refused."""
    if not name or len(name) > MAX_NAME or "/" in name:
        raise Refused(f"A name has 1 to {MAX_NAME} characters and no /")


def rename(state: State, actor: str, key: str, name: str) -> None:
    """For editors. The name must be new in the folder."""
    item = get_item(state, key)
    require_role(item, actor, "Editor", "rename this")
    require_valid_name(name)
    if name == item["name"]:
        raise Refused("It is called so already")
    require_free_name(state, name, parent_id(item), key)
    item["name"] = name


def move(state: State, actor: str, key: str, folder: str) -> None:
    """For editors, to any folder outside of itself and of the trash."""
    item, target = get_item(state, key), get_folder(state, folder)
    require_role(item, actor, "Editor", "move this")
    if key in [ancestor["id"] for ancestor in (*ancestors_of(state, target), target)]:
        raise Refused("A folder cannot be moved into itself")
    if is_in_trash(state, target):
        raise Refused("That folder is in the trash")
    if parent_id(item) == folder:
        raise Refused("It is in that folder already")
    require_free_name(state, item["name"], folder)
    item["folder" if is_file(item) else "parent"] = folder


def copy_file(state: State, actor: str, key: str, name: str, folder: str, day: str) -> Item:
    """For everybody. The copy belongs to the actor and is shared with nobody."""
    file = get_file(state, key)
    require_role(file, actor, "Viewer", "copy this")
    require_valid_name(name)
    require_free_name(state, name, folder)
    first = {"id": "v1", "day": day, "by": actor, "size": file["size"], "note": "First version"}
    copied = copy.deepcopy(file) | {
        "id": _next_id(state["files"], "d"),
        "name": name,
        "folder": folder,
        "owner": actor,
        "modified": day,
        "starred": False,
        "link": OFF,
        "until": "",
        "shares": [],
        "versions": [first],
        "comments": [],
    }
    state["files"].append(copied)
    return copied


def _next_id(items: list[Item], letter: str) -> str:
    numbers = [int(item["id"][1:]) for item in items if item["id"] != ROOT]
    return f"{letter}{1 + max(numbers, default=0)}"


def next_folder_id(state: State) -> str:
    """The id that the next new folder gets."""
    return _next_id(state["folders"], "f")


def create_folder(state: State, actor: str, name: str, parent_key: str) -> Item:
    """Anyone may create a folder inside of any other."""
    parent = get_folder(state, parent_key)
    if is_in_trash(state, parent):
        raise Refused("That folder is in the trash")
    require_valid_name(name)
    require_free_name(state, name, parent_key)
    folder = {
        "id": next_folder_id(state),
        "name": name,
        "parent": parent_key,
        "owner": actor,
        "trashed": "",
    }
    state["folders"].append(folder)
    return folder


def set_star(state: State, key: str, starred: bool) -> None:
    """Anyone may star any file."""
    get_file(state, key)["starred"] = starred


def set_description(state: State, actor: str, key: str, text: str) -> None:
    """For editors. An empty text removes the description."""
    file = get_file(state, key)
    require_role(file, actor, "Editor", "describe this")
    if len(text) > MAX_TEXT:
        raise Refused("The description is too long")
    file["description"] = text


def move_to_trash(state: State, actor: str, key: str, day: str) -> None:
    """For the owner. `day`: ISO date."""
    item = get_item(state, key)
    require_role(item, actor, OWNER, "move this to the trash")
    item["trashed"] = day


def restore_from_trash(state: State, actor: str, key: str) -> None:
    """To where it was, or to My Drive if that folder is in the trash too."""
    item = _get_trashed_item(state, actor, key, "restore this")
    folder = parent_id(item)
    if is_in_trash(state, get_folder(state, folder)):
        folder = ROOT
    require_free_name(state, item["name"], folder)
    item["folder" if is_file(item) else "parent"] = folder
    item["trashed"] = ""


def delete_for_good(state: State, actor: str, key: str) -> None:
    """For the owner, with all that is in it."""
    item = _get_trashed_item(state, actor, key, "delete this")
    deleted_keys = {key} | {
        other["id"]
        for other in (*state["folders"], *state["files"])
        if any(ancestor["id"] == item["id"] for ancestor in ancestors_of(state, other))
    }
    for kind in ("folders", "files"):
        state[kind] = [other for other in state[kind] if other["id"] not in deleted_keys]


def _get_trashed_item(state: State, actor: str, key: str, purpose: str) -> Item:
    item = get_item(state, key)
    if not item["trashed"]:
        raise Refused("This is not in the trash")
    if not has_role(item, actor, OWNER):
        raise Refused(f"Only the owner can {purpose}")
    return item


def empty_trash(state: State, actor: str) -> None:
    """Deletes all that the actor owns in it."""
    keys = [item["id"] for item in list_trash(state) if item["owner"] == actor]
    if not keys:
        raise Refused("The trash is empty")
    for key in keys:
        if any(item["id"] == key for item in list_trash(state)):
            delete_for_good(state, actor, key)
