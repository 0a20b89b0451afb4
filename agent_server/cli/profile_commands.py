"""`deskhand profiles key|list|show|import|delete`: saved log-in state of a server's browsers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

if TYPE_CHECKING:
    from agent_server.client.client import Client
    from agent_server.store.profiles import Profile

Name = Annotated[str, typer.Argument(help="the profile's name")]
Url = Annotated[
    str | None, typer.Option(help="of the server; none: DESKHAND_API_URL, or this machine's")
]


def register(app: typer.Typer) -> None:
    """Add the command group `profiles`."""
    profiles = typer.Typer(
        help="Saved log-in state of a server's browsers (DESKHAND_API_KEY: its key).",
        no_args_is_help=True,
    )
    profiles.command()(key)
    profiles.command("list")(list_)
    profiles.command()(show)
    profiles.command("import")(import_)
    profiles.command()(delete)
    app.add_typer(profiles, name="profiles")


def key(
    file: Annotated[Path, typer.Argument(help="is made with mode 600, or gets a new first line")],
) -> None:
    """Make a key to encrypt profiles with. The keys that the file has already go on decrypting."""
    from agent_server.private_file import PrivateFileError, read_private
    from agent_server.store.profiles import make_key
    from envs.io.atomic_write import write_whole

    try:
        before = read_private(file) if file.exists() else ""
    except PrivateFileError as error:
        raise typer.BadParameter(str(error)) from error
    old_mask = os.umask(0o077)
    try:
        write_whole(file, [f"{make_key()}\n{before}".encode()])
    finally:
        os.umask(old_mask)
    file.chmod(0o600)
    Console().print(f"deskhand serve --profile-keys {file}", highlight=False, soft_wrap=True)


def list_(url: Url = None) -> None:
    """List the profiles, with the domains that they hold something of."""
    with _client(url) as client:
        for profile in client.list_profiles():
            _print(profile)


def show(name: Name, url: Url = None) -> None:
    """Show one profile: its domains, never a value."""
    with _client(url) as client:
        _print(client.get_profile(name))


def import_(
    name: Name,
    file: Annotated[Path, typer.Argument(help="Playwright's storage_state, as JSON")],
    url: Url = None,
) -> None:
    """Keep a log-in that was made elsewhere under this name."""
    from pydantic import ValidationError

    from envs.contract.browser_state import BrowserState

    try:
        state = BrowserState.model_validate_json(file.read_bytes())
    except OSError as error:
        raise typer.BadParameter(f"{file}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise typer.BadParameter(f"{file}: {where}: {first['msg']}") from None
    with _client(url) as client:
        _print(client.put_profile(name, state))


def delete(name: Name, url: Url = None) -> None:
    """Remove a profile for good."""
    with _client(url) as client:
        client.delete_profile(name)


@contextmanager
def _client(url: str | None) -> Iterator[Client]:
    from agent_server.client.client import Client
    from agent_server.client.connection import ApiProblem, ApiUnreachable

    try:
        with Client(url) as client:
            yield client
    except (ApiProblem, ApiUnreachable) as error:
        raise typer.BadParameter(str(error)) from error


def _print(profile: Profile) -> None:
    domains = ", ".join(profile.domains) or "empty"
    saved = f"{profile.saved_at:%Y-%m-%d %H:%M}"
    line = f"{profile.name}: {domains} ({profile.cookies} cookies, saved {saved} UTC)"
    Console().print(line, highlight=False, markup=False, soft_wrap=True)
