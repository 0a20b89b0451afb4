"""The drive's API tools."""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.drive import lookup, rules, rules_sharing
from envs.gyms.apps.drive.lookup import kind_of
from envs.gyms.apps.drive.vocabulary import ROOT
from envs.gyms.kit.site_tools import ToolContext, site_tool
from envs.gyms.server.gym import Refused


@site_tool("drive.find")
def find_items(context: ToolContext, text: str, kind: str | None = None) -> list[dict[str, Any]]:
    """Files and folders that are not in the trash and whose name contains the text, at most 20: id,
    name, kind, path of the folder, owner, size in KB and ISO date of the last change (None for
    folders). kind: Document, Sheet, Slides, PDF, Image or Folder."""
    matches: list[dict[str, Any]] = []
    for item in lookup.list_active_items(context.state):
        if text.lower() in item["name"].lower() and kind in (None, kind_of(item)):
            matches.append(
                {
                    "id": item["id"],
                    "name": item["name"],
                    "kind": kind_of(item),
                    "path": lookup.folder_path(context.state, lookup.parent_id(item)),
                    "owner": context.world.person(item["owner"]).name,
                    "size": item.get("size"),
                    "modified": item.get("modified"),
                }
            )
    return matches[:20]


@site_tool("drive.star")
def star_file(context: ToolContext, file: str, starred: bool = True) -> str:
    """Stars a file by its id, or takes the star away."""
    rules.set_star(context.state, file, starred)
    return "done"


@site_tool("drive.share")
def share_file(context: ToolContext, file: str, person: str, role: str) -> str:
    """Shares a file by its id with a person by full name. role: Viewer, Commenter or Editor."""
    for colleague in context.world.people:
        if colleague.name == person:
            rules_sharing.share(context.state, context.world.user.id, file, colleague.id, role)
            return f"shared with {person}"
    raise Refused(f"there is nobody called {person[:40]!r}")


@site_tool("drive.move")
def move_item(context: ToolContext, item: str, folder: str) -> str:
    """Moves a file or folder to a folder, both by id. My Drive itself is the folder "root"."""
    rules.move(context.state, context.world.user.id, item, folder)
    return f"moved to {lookup.folder_path(context.state, folder)}"


@site_tool("drive.create_folder")
def create_folder(context: ToolContext, name: str, inside: str = ROOT) -> str:
    """Makes a folder inside of another (by id); gives the new one's id."""
    folder = rules.create_folder(context.state, context.world.user.id, name, inside)
    return str(folder["id"])


@site_tool("drive.rename")
def rename_item(context: ToolContext, item: str, name: str) -> str:
    """Gives a file or folder, by its id, another name."""
    rules.rename(context.state, context.world.user.id, item, name)
    return f"renamed to {name}"


@site_tool("drive.transfer")
def transfer_file(context: ToolContext, file: str, person: str) -> str:
    """Makes a person, by full name, the owner of a file, by its id."""
    for colleague in context.world.people:
        if colleague.name == person:
            actor = context.world.user.id
            rules_sharing.transfer_ownership(context.state, actor, file, colleague.id)
            return f"{person} is the owner now"
    raise Refused(f"there is nobody called {person[:40]!r}")
