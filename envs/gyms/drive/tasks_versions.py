"""Tasks on what lies behind a file: its versions and its comments.

The file has several of them, so that the right one has to be found.
"""

from __future__ import annotations

import random

from envs.gyms.drive import rules
from envs.gyms.drive.data import Item
from envs.gyms.drive.drawing import FILES, named, one_of, own_files, part_of, to_file
from envs.gyms.gym import OracleLost, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, saw
from envs.gyms.view import Page

VERSIONS = ("versions", saw("drive:versions:{file}"))
COMMENTS = ("comments", saw("drive:comments:{file}"))


def _text_after(page: Page, role: str, name: str) -> str:
    """The first text after an element."""
    lines = iter(page.lines)
    for line in lines:
        if line.ref is not None and line.role == role and line.name == name:
            for text in lines:
                if text.ref is None and text.name:
                    return text.name
    raise OracleLost(f"nothing follows {role} {name!r} on page {page.title!r}")


def _draw_version(world: Company, rng: random.Random, state: State) -> Params:
    files = [f for f in own_files(world, state) if len(f["versions"]) > 2]
    file = one_of(rng, files, "has three versions")
    old = rng.choice(file["versions"][:-1])
    return named(file) | {
        "version": old["id"], "number": old["id"][1:], "date": world.look.date(old["day"])
    }  # fmt: skip


def _expect_version(world: Company, p: Params, state: State) -> None:
    rules.restore_version(part_of(state), world.user.id, p["file"], p["version"], world.today)


def _restore_version(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    page = yield from ways.open_link(page, "what it was before", "Versions")
    names = [line.name for line in page.of("link") if line.name.startswith("Version ")]
    old = next(name for name in names if _text_after(page, "link", name) == p["date"])
    page = yield from ways.open_link(page, "this was saved on that day", old)
    yield from ways.sure(page, "Restore this version")
    return None


def _read_version(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    page = yield from ways.open_link(page, "what it was before", "Versions")
    return _text_after(page, "link", f"Version {p['number']}")


def _version_day(world: Company, p: Params, before: State) -> str:
    versions = rules.file_of(part_of(before), p["file"])["versions"]
    return str(next(one["day"] for one in versions if one["id"] == p["version"]))


def _draw_comment(world: Company, rng: random.Random, state: State) -> Params:
    def still(file: Item) -> list[Item]:
        return [one for one in file["comments"] if not one["resolved"]]

    files = [file for file in own_files(world, state) if len(still(file)) > 1]
    file = one_of(rng, files, "has two open comments")
    one = rng.choice(still(file))
    return named(file) | {"comment": one["id"], "who": world.person(one["by"]).name}


def _resolve(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    page = yield from ways.open_link(page, "what people say", "Comments")
    told = next(line.name for line in page.lines if f". {p['who']}, " in line.name)
    number = told.partition(".")[0]
    yield from ways.press(page, "that is settled", f"Resolve comment {number}")
    return None


TEMPLATES = (
    Template(
        "restore_version", ("search", "compare", "dialog"), 8,
        ('Bring back the version of "{name}" that was saved on {date}.',
         'The file "{name}" was better on {date}. Restore the version saved that day.'),
        _draw_version, _restore_version, (FILES, VERSIONS, FINISHED), _expect_version,
    ),
    Template(
        "version_date", ("search", "answer"), 5,
        ('On which day was version {number} of "{name}" saved?',
         'Give the date on which version {number} of the file "{name}" was saved.'),
        _draw_version, _read_version, (FILES, VERSIONS, FINISHED), answer=_version_day,
        answer_kind="date",
    ),
    Template(
        "resolve_comment", ("search",), 6,
        ('Resolve the comment by {who} on the file "{name}".',
         'What {who} says in a comment on "{name}" is settled: resolve it, leave the others open.'),
        _draw_comment, _resolve, (FILES, COMMENTS, FINISHED),
        lambda world, p, state: rules.set_resolved(
            part_of(state), world.user.id, p["file"], p["comment"], True
        ),
    ),
)  # fmt: skip
