"""MediaWiki 1.39 of Debian, on SQLite, behind PHP's built-in server. See `Application`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import aiohttp

from envs.gyms.apps.mediawiki.content import Handbook, make_handbook
from envs.gyms.apps.mediawiki.state import make_state, read_state
from envs.gyms.kit.company import Company, get_company
from envs.gyms.real.application import (
    Cookies,
    PageRequest,
    WorldCopy,
)
from envs.gyms.real.box import DATA, run_installer
from envs.gyms.real.filling import post_world
from envs.gyms.real.installed import find_application
from envs.gyms.real.php import php_server
from envs.gyms.real.searches import fold_words
from envs.gyms.real.server_box import ServerCommand
from envs.gyms.server.gym import State

INSIDE = Path(__file__).with_name("inside")
TOKEN = "d" * 32
"""What the cookie of the signed-in user proves; it opens nothing but copies of made-up worlds."""
USER_FILE = "user"
"""Who is signed in, beside the database."""


@lru_cache(maxsize=64)
def get_handbook(seed: int) -> Handbook:
    """The handbook of a seed; it must not be changed."""
    return make_handbook(get_company(seed))


class MediaWiki:
    """See `Application`."""

    name = "mediawiki"

    def server_command(self) -> ServerCommand:
        """PHP's server with several workers."""
        return php_server(_files(), INSIDE)

    async def install(self, folder: Path) -> None:
        """By MediaWiki's own installer."""
        files = _files()
        options = ["--dbtype", "sqlite", "--dbname", "wiki", "--dbpath", f"{DATA}/{folder.name}"]
        options += ["--confpath", "/tmp", "--scriptpath", "/mediawiki", "--pass", TOKEN]
        options += ["--server", "http://127.0.0.1", "--lang", "en", "Handbook", "Operator"]
        folder.mkdir()
        await run_installer(
            ["php", "/app/maintenance/install.php", *options], {"/app": files}, folder.parent
        )

    async def fill(self, http: aiohttp.ClientSession, copy: WorldCopy, world: Company) -> Cookies:
        """By `inside/fill.php`."""
        book = get_handbook(world.seed)
        admin = book.staff[0].name
        authors = {revision.by for revision in book.revisions}
        body = {
            "users": sorted({world.user.name, admin} | authors),
            "user": world.user.name,
            "admin": admin,
            "token": TOKEN,
            "revisions": [
                {
                    "title": revision.title,
                    "by": revision.by,
                    "text": revision.text,
                    "summary": revision.summary,
                    "at": copy.clock - revision.hours_ago * 3600,
                }
                for revision in book.revisions
            ],
            "deleted": book.deleted,
            "watched": book.watched,
            "protected": book.protected,
        }
        cookies = await post_world(http, self.name, copy, world, body)
        await asyncio.to_thread((copy.folder / USER_FILE).write_text, world.user.name)
        return cookies

    def make_state(self, world: Company) -> State:
        """See `state.make_state`."""
        return make_state(world, get_handbook(world.seed))

    def read_state(self, folder: Path) -> State:
        """See `state.read_state`."""
        return read_state(folder, (folder / USER_FILE).read_text())

    def list_events(self, request: PageRequest) -> Sequence[str]:
        """`view:TITLE`, `history:TITLE`; `missing:TITLE` where this page shows that there is none;
        `search:WORDS` of a search among the titles that led to no page."""
        # What scripts ask for while somebody types has shown nothing, and comes at any time.
        if request.method != "GET" or request.path in ("/api.php", "/load.php", "/rest.php"):
            return ()
        title = request.query.get("title") or request.path.removeprefix("/wiki/")
        title, action = title.replace("_", " "), request.query.get("action", "view")
        if words := fold_words(request.query.get("search", "")):
            return (f"search:{words}",) if _shows_all_titles(request, title, action) else ()
        if title.startswith("/"):
            return ()
        if request.status == 404 and action == "view":
            return (f"missing:{title}",)
        return (f"{action}:{title}",) if request.status == 200 and action in EVENTS else ()


def _shows_all_titles(request: PageRequest, title: str, action: str) -> bool:
    """Whether the search that is asked for shows that there is no page of a title. One that finds a
    page of it leads there instead."""
    # Any other page takes no notice of words to search for.
    is_search = title.casefold() in ("special:search", "/index.php", "/")
    spaces = [name for name in request.query if name.startswith("ns") and name[2:].isdigit()]
    return (
        request.status == 200
        and is_search
        and action == "view"
        and request.query.get("profile", "default") in ("", "default", "all", "advanced")
        and not request.query.get("prefix")
        and request.query.get("offset", "0") in ("", "0")
        and not {"curid", "oldid", "diff"} & set(request.query)
        and (not spaces or "ns0" in spaces)
    )


EVENTS = ("view", "history")
"""Looks at a page that a milestone may ask for."""


def _files() -> Path:
    files = find_application("mediawiki")
    assert files is not None, "the gym exists only where MediaWiki is installed"
    return files
