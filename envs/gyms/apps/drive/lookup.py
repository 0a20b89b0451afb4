"""Looking up files and folders: by id, by place, by the role that a person has on them."""

from __future__ import annotations

from envs.gyms.apps.drive.vocabulary import FOLDER, ROLES
from envs.gyms.kit.listing import Item
from envs.gyms.server.gym import NotFound, State

OWNER = "Owner"
RANKS = (*ROLES, OWNER)


def get_folder(state: State, key: str) -> Item:
    """Raises NotFound."""
    return find_by_id(state["folders"], key, "folder")


def get_file(state: State, key: str) -> Item:
    """Raises NotFound."""
    return find_by_id(state["files"], key, "file")


def get_item(state: State, key: str) -> Item:
    """A file or a folder. Raises NotFound."""
    return find_by_id([*state["folders"], *state["files"]], key, "file or folder")


def find_by_id(items: list[Item], key: str, kind: str) -> Item:
    """The record with this id. Raises NotFound."""
    for item in items:
        if item["id"] == key:
            return item
    raise NotFound(f"There is no {kind} {key[:20]}")


def is_file(item: Item) -> bool:
    """Whether it is a file, not a folder."""
    return "folder" in item


def parent_id(item: Item) -> str:
    """Id of the folder that it is in; empty for My Drive itself."""
    return str(item["folder"] if is_file(item) else item["parent"])


def ancestors_of(state: State, item: Item) -> list[Item]:
    """The folders above it, from My Drive down."""
    above: list[Item] = []
    parent = parent_id(item)
    while parent:
        above.insert(0, get_folder(state, parent))
        parent = above[0]["parent"]
    return above


def folder_path(state: State, key: str) -> str:
    """Names of a folder and those above it: "My Drive / Finance / Taxes"."""
    folder = get_folder(state, key)
    return " / ".join(ancestor["name"] for ancestor in (*ancestors_of(state, folder), folder))


def is_in_trash(state: State, item: Item) -> bool:
    """Whether it or a folder above it is in the trash."""
    return any(ancestor["trashed"] for ancestor in (item, *ancestors_of(state, item)))


def list_children(state: State, key: str) -> list[Item]:
    """What is in a folder, except what was thrown away from it."""
    items = [*state["folders"], *state["files"]]
    return [item for item in items if parent_id(item) == key and not item["trashed"]]


def list_active_items(state: State) -> list[Item]:
    """All files and folders, except My Drive itself and what is in the trash."""
    items = [*state["folders"][1:], *state["files"]]
    return [item for item in items if not is_in_trash(state, item)]


def list_trash(state: State) -> list[Item]:
    """What was thrown away itself, not what is inside of it."""
    return [item for item in (*state["folders"], *state["files"]) if item["trashed"]]


def get_role(item: Item, person: str) -> str:
    """Owner, one of ROLES, or Viewer for everybody else in the company."""
    if item["owner"] == person:
        return OWNER
    shares = item.get("shares", ())
    return next((share["role"] for share in shares if share["id"] == person), ROLES[0])


def has_role(item: Item, person: str, role: str) -> bool:
    """Whether the person has this role on it, or a higher one."""
    return RANKS.index(get_role(item, person)) >= RANKS.index(role)


def kind_of(item: Item) -> str:
    """The kind of a file, or "Folder"."""
    return str(item.get("kind", FOLDER))
