"""What the drive allows with shares, roles, link access and ownership.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from envs.gyms.apps.drive.lookup import OWNER, find_by_id, get_file
from envs.gyms.apps.drive.rules import require_role
from envs.gyms.apps.drive.vocabulary import LINKS, OFF, ROLES, Item
from envs.gyms.server.gym import Refused, State


def _get_share(file: Item, person: str) -> Item:
    return find_by_id(file["shares"], person, "access of")


def share(state: State, actor: str, key: str, person: str, role: str) -> None:
    """For editors, with a person who has no access yet."""
    file = get_file(state, key)
    require_role(file, actor, "Editor", "share this")
    if role not in ROLES:
        raise Refused("Choose one: Role")
    if file["owner"] == person or any(entry["id"] == person for entry in file["shares"]):
        raise Refused("This person has access already: open the name to change the role")
    file["shares"].append({"id": person, "role": role})


def change_role(state: State, actor: str, key: str, person: str, role: str) -> None:
    """For editors, but not their own role."""
    file = get_file(state, key)
    require_role(file, actor, "Editor", "change roles")
    if role not in ROLES:
        raise Refused("Choose one: Role")
    if person == actor:
        raise Refused("You cannot change your own role")
    _get_share(file, person)["role"] = role


def stop_sharing(state: State, actor: str, key: str, person: str) -> None:
    """For editors, but not for themselves."""
    file = get_file(state, key)
    require_role(file, actor, "Editor", "stop sharing this")
    if person == actor:
        raise Refused("You cannot remove yourself")
    file["shares"].remove(_get_share(file, person))


def transfer_ownership(state: State, actor: str, key: str, person: str) -> None:
    """For the owner, who stays an editor."""
    file = get_file(state, key)
    require_role(file, actor, OWNER, "transfer this")
    if person == file["owner"]:
        raise Refused("This person is the owner already")
    other_shares = [entry for entry in file["shares"] if entry["id"] != person]
    file["shares"] = [*other_shares, {"id": file["owner"], "role": "Editor"}]
    file["owner"] = person


def set_link_access(state: State, actor: str, key: str, link: str, until: str, today: str) -> None:
    """For editors. `until`: an ISO date, or empty for no end."""
    file = get_file(state, key)
    require_role(file, actor, "Editor", "change link access")
    if link not in LINKS:
        raise Refused("Choose one: Link access")
    if until and link == OFF:
        raise Refused("Link access that is off has no end: clear Ends on")
    if until and until <= today:
        raise Refused("Ends on must be in the future")
    file |= {"link": link, "until": until}
