"""WordPress 6.1 of Debian, on SQLite, behind PHP's built-in server. See `Application`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

import aiohttp

from envs.gyms.apps.wordpress.baseline import write_baseline
from envs.gyms.apps.wordpress.content import Site, make_site
from envs.gyms.apps.wordpress.post_search import shows_drafts
from envs.gyms.apps.wordpress.state import make_settings, make_state, read_state
from envs.gyms.kit.company import Company, get_company
from envs.gyms.real.application import (
    Cookies,
    PageRequest,
    WorldCopy,
)
from envs.gyms.real.box import DATA, run_installer
from envs.gyms.real.filling import post_world
from envs.gyms.real.installed import find_application
from envs.gyms.real.logins import login_of
from envs.gyms.real.php import php_server
from envs.gyms.real.searches import fold_words
from envs.gyms.real.server_box import ServerCommand
from envs.gyms.server.gym import State

INSIDE = Path(__file__).with_name("inside")
PAGES = frozenset(
    {
        *("edit", "post-new", "edit-comments", "edit-tags", "users", "user-new"),
        *("options-general", "options-reading", "options-discussion"),
    }
)
"""Pages of the administration that a milestone may ask for. What a page loads besides comes in any
order, and must not be in the log."""


@lru_cache(maxsize=64)
def get_site(seed: int) -> Site:
    """The site of a seed; it must not be changed."""
    return make_site(get_company(seed))


class WordPress:
    """See `Application`."""

    name = "wordpress"

    def server_command(self) -> ServerCommand:
        """PHP's server with several workers."""
        return php_server(_files(), INSIDE)

    async def install(self, folder: Path) -> None:
        """By WordPress's own installer."""
        folder.mkdir()
        files = {"/app": _files(), "/inside": INSIDE}
        command = ["php", "/inside/install.php", f"{DATA}/{folder.name}"]
        await run_installer(command, files, folder.parent)

    async def fill(self, http: aiohttp.ClientSession, copy: WorldCopy, world: Company) -> Cookies:
        """By `inside/fill.php`; then what the site is like is written down."""
        site = get_site(world.seed)
        people = {world.user.name: (world.user, "administrator")}
        people |= {person.name: (person, site.roles[person.name]) for person in site.staff}
        body = {
            "user": world.user.name,
            "users": [
                {
                    "user_login": login_of(person),
                    "user_email": person.email,
                    "display_name": person.name,
                    "first_name": person.name.split()[0],
                    "last_name": person.name.split()[-1],
                    "role": role,
                    "user_registered": "2024-01-08 08:00:00",
                }
                for person, role in people.values()
            ],
            "settings": make_settings(world, site),
            "categories": site.categories,
            "posts": [asdict(post) for post in site.posts],
            "comments": [asdict(comment) for comment in site.comments],
        }
        cookies = await post_world(http, self.name, copy, world, body)
        await asyncio.to_thread(write_baseline, copy.folder)
        return cookies

    def make_state(self, world: Company) -> State:
        """See `state.make_state`."""
        return make_state(world, get_site(world.seed))

    def read_state(self, folder: Path) -> State:
        """See `state.read_state`."""
        return read_state(folder)

    def list_events(self, request: PageRequest) -> Sequence[str]:
        """`page:NAME` of a page of the administration, such as "users"; `search:WORDS` of a list
        there that was searched; `drafts:WORDS`, as they were typed, where the list was one of posts
        and left out no draft with these words; `drafts:` of the list of drafts alone, and all."""
        if request.method != "GET" or request.status != 200:
            return ()
        page = request.path.removeprefix("/wp-admin/").removesuffix(".php")
        if page not in PAGES:
            return ()
        typed = request.query.get("s", "")
        events = [f"page:{page}"]
        if words := fold_words(typed):
            events.append(f"search:{words}")
        is_narrow = bool(words) or request.query.get("post_status") == "draft"
        if page == "edit" and is_narrow and shows_drafts(request.query):
            events.append(f"drafts:{typed.strip()}")
        return events


def _files() -> Path:
    files = find_application("wordpress")
    assert files is not None, "the gym exists only where WordPress is installed"
    return files
