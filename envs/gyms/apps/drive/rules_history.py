"""What the drive allows with a file's versions and comments.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from envs.gyms.apps.drive.lookup import find_by_id, get_file
from envs.gyms.apps.drive.rules import MAX_TEXT, require_role
from envs.gyms.server.gym import Refused, State


def restore_version(state: State, actor: str, key: str, version: str, day: str) -> None:
    """For editors. Makes an old version the newest; nothing is lost."""
    file = get_file(state, key)
    require_role(file, actor, "Editor", "restore versions")
    restored = find_by_id(file["versions"], version, "version")
    if restored is file["versions"][-1]:
        raise Refused("This is the newest version already")
    file["versions"].append(
        {
            "id": f"v{len(file['versions']) + 1}",
            "day": day,
            "by": actor,
            "size": restored["size"],
            "note": f"Restored version {version[1:]}",
        }
    )
    file |= {"size": restored["size"], "modified": day}


def add_comment(state: State, actor: str, key: str, text: str, day: str) -> None:
    """For commenters and editors. `day`: ISO date."""
    file = get_file(state, key)
    require_role(file, actor, "Commenter", "comment on this")
    if len(text) > MAX_TEXT:
        raise Refused("The comment is too long")
    number = len(file["comments"]) + 1
    comment = {"id": f"c{number}", "by": actor, "day": day, "text": text, "resolved": False}
    file["comments"].append(comment)


def set_resolved(state: State, actor: str, key: str, comment: str, resolved: bool) -> None:
    """For editors. Resolves a comment or opens it again."""
    file = get_file(state, key)
    require_role(file, actor, "Editor", "resolve comments")
    find_by_id(file["comments"], comment, "comment")["resolved"] = resolved
