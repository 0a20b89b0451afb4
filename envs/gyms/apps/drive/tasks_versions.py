"""Tasks on a file's versions and comments.

The file has several of them, so that the right one has to be told from the others.
"""

from __future__ import annotations

import random

from envs.gyms.apps.drive import lookup, rules_history
from envs.gyms.apps.drive.oracle_moves import VISITED_FILES, open_file
from envs.gyms.apps.drive.sampling import choose_file, drive_part, file_params, list_own_files
from envs.gyms.apps.drive.vocabulary import Item
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import OracleLost, State
from envs.gyms.server.view import Page

VISITED_VERSIONS = ("versions", visited_page("drive:versions:{file}"))
VISITED_COMMENTS = ("comments", visited_page("drive:comments:{file}"))


def _text_after(page: Page, role: str, name: str) -> str:
    """The first text after an element."""
    lines = iter(page.lines)
    for line in lines:
        if line.ref is not None and line.role == role and line.name == name:
            for text in lines:
                if text.ref is None and text.name:
                    return text.name
    raise OracleLost(f"nothing follows {role} {name!r} on page {page.title!r}")


def _sample_version(world: Company, rng: random.Random, state: State) -> Params:
    files = [f for f in list_own_files(world, state) if len(f["versions"]) > 2]
    file = choose_file(rng, files, "has three versions")
    version = rng.choice(file["versions"][:-1])
    return file_params(file) | {
        "version": version["id"],
        "number": version["id"][1:],
        "date": world.locale.format_date(version["day"]),
    }


def _apply_version(world: Company, p: Params, state: State) -> None:
    rules_history.restore_version(
        drive_part(state), world.user.id, p["file"], p["version"], world.today
    )


def _restore_version(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    page = yield from navigation.open_link(page, "what it was before", "Versions")
    names = [line.name for line in page.elements("link") if line.name.startswith("Version ")]
    link = next(name for name in names if _text_after(page, "link", name) == p["date"])
    page = yield from navigation.open_link(page, "this was saved on that day", link)
    yield from navigation.confirm(page, "Restore this version")
    return None


def _read_version(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    page = yield from navigation.open_link(page, "what it was before", "Versions")
    return _text_after(page, "link", f"Version {p['number']}")


def _version_day(world: Company, p: Params, before: State) -> str:
    versions = lookup.get_file(drive_part(before), p["file"])["versions"]
    return str(next(version["day"] for version in versions if version["id"] == p["version"]))


def _sample_comment(world: Company, rng: random.Random, state: State) -> Params:
    def open_comments(file: Item) -> list[Item]:
        return [comment for comment in file["comments"] if not comment["resolved"]]

    files = [file for file in list_own_files(world, state) if len(open_comments(file)) > 1]
    file = choose_file(rng, files, "has two open comments")
    comment = rng.choice(open_comments(file))
    return file_params(file) | {"comment": comment["id"], "who": world.person(comment["by"]).name}


def _resolve_comment(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    page = yield from navigation.open_link(page, "what people say", "Comments")
    text = next(line.name for line in page.lines if f". {p['who']}, " in line.name)
    number = text.partition(".")[0]
    yield from navigation.click(page, "that is settled", f"Resolve comment {number}")
    return None


TEMPLATES = (
    Template(
        name="restore_version",
        skills=("search", "compare", "dialog"),
        oracle_steps=8,
        phrasings=(
            'Bring back the version of "{name}" that was saved on {date}.',
            'The file "{name}" was better on {date}. Restore the version saved that day.',
        ),
        sample_params=_sample_version,
        solve=_restore_version,
        milestones=(VISITED_FILES, VISITED_VERSIONS, FINISHED),
        apply_expected=_apply_version,
    ),
    Template(
        name="version_date",
        skills=("search", "answer"),
        oracle_steps=5,
        phrasings=(
            'On which day was version {number} of "{name}" saved?',
            'Give the date on which version {number} of the file "{name}" was saved.',
        ),
        sample_params=_sample_version,
        solve=_read_version,
        milestones=(VISITED_FILES, VISITED_VERSIONS, FINISHED),
        expected_answer=_version_day,
        answer_kind="date",
    ),
    Template(
        name="resolve_comment",
        skills=("search",),
        oracle_steps=6,
        phrasings=(
            'Resolve the comment by {who} on the file "{name}".',
            'What {who} says in a comment on "{name}" is settled: resolve it, leave the others '
            "open.",
        ),
        sample_params=_sample_comment,
        solve=_resolve_comment,
        milestones=(VISITED_FILES, VISITED_COMMENTS, FINISHED),
        apply_expected=lambda world, p, state: rules_history.set_resolved(
            drive_part(state), world.user.id, p["file"], p["comment"], True
        ),
    ),
)
