"""What the portal allows with announcements.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from envs.gyms.apps.people.rules_fields import check_choice
from envs.gyms.kit.names import TITLES
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State


def publish_announcement(
    state: State, title: str, text: str, audience: str, until: str, pinned: bool, today: str
) -> None:
    """`until` and `today` are ISO dates."""
    check_choice(audience, ("Everybody", *TITLES), "Audience")
    if until <= today:
        raise Refused("Shown until must be in the future")
    number = 1 + max((int(item["id"][1:]) for item in state["announcements"]), default=0)
    state["announcements"].append(
        {
            "id": f"a{number}",
            "title": title,
            "text": text,
            "audience": audience,
            "date": today,
            "until": until,
            "pinned": pinned,
        }
    )


def delete_announcement(state: State, key: str) -> None:
    """Raises NotFound."""
    state["announcements"].remove(get_record(state, "announcements", key))
