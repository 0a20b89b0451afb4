"""`deskhand gym new`: a working app with one template, ready to be changed.

Guarantees: nothing that exists is overwritten; what is written passes its own tests as it is.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_NAME = re.compile(r"[a-z][a-z0-9]{1,20}")

_GYM = '''"""{title} as a gym."""

from __future__ import annotations

from envs.gyms.kit.gym import AppGym
from envs.gyms.{name}.app import APP
from envs.gyms.{name}.tasks import TEMPLATES

GYM = AppGym("{name}", (APP,), TEMPLATES)
'''
_APP = '''"""{title}'s state, rules and pages: a list of notes, each of which can be pinned."""

from __future__ import annotations

import random
from typing import Any

from envs.gyms.gym import NotFound, Refused, State
from envs.gyms.kit.company import Company
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import App, Here
from envs.gyms.kit.html import badge, button, details, link
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.pages import Redirect

NOTES = 60


def fresh(world: Company) -> State:
    """What a seed makes of the app: plain JSON, every record with an id of its own."""
    rng = world.rng("{name}")
    notes = [
        {{
            "id": f"n{{index + 1}}",
            "title": f"{{rng.choice(world.firms).name}} {{index + 1}}",
            "author": rng.choice(world.people).name,
            "day": world.day(-rng.randint(0, 90)),
            "pinned": rng.random() < 0.1,
        }}
        for index in range(NOTES)
    ]
    return {{"notes": notes}}


def note_of(state: State, key: str) -> dict[str, Any]:
    for note in state["notes"]:
        if note["id"] == key:
            found: dict[str, Any] = note
            return found
    raise NotFound(f"There is no note {{key[:20]}}")


def pin(state: State, key: str) -> None:
    """The rule that the page's button, the verifier and a site tool all use."""
    note = note_of(state, key)
    if note["pinned"]:
        raise Refused("This note is pinned already")
    note["pinned"] = True


def _stray(state: State, rng: random.Random) -> None:
    note = rng.choice(state["notes"])
    note["author"] = f"{{note['author']}} jr"


APP = App("{name}", "{title}", (("Notes", "/"),), fresh, _stray)


@APP.get("/")
def notes(here: Here) -> str:
    here.note("notes")
    listing = Listing(
        columns=(
            Column("Title", lambda n: link(n["title"], here.url(f"/notes/{{n['id']}}"))),
            Column("Author", lambda n: n["author"]),
            Column("Date", lambda n: here.look.date(n["day"])),
            Column("", lambda n: badge("Pinned") if n["pinned"] else None),
        ),
        words=lambda n: f"{{n['title']}} {{n['author']}}",
        sorts=(Sort("Newest", lambda n: (n["day"], n["id"]), descending=True),
               Sort("Title", lambda n: n["title"])),
        filters=(Filter("pinned", "Pinned", ("Yes", "No"),
                        lambda n: "Yes" if n["pinned"] else "No"),),
    )  # fmt: skip
    return page(here, "Notes", listing.show(here, here.state["notes"]))


@APP.get("/notes/{{key}}")
def note(here: Here, key: str) -> str:
    found = note_of(here.state, key)
    here.note(f"note:{{key}}")
    facts = details(
        ("Author", found["author"]),
        ("Date", here.look.date(found["day"])),
        ("Pinned", "Yes" if found["pinned"] else "No"),
    )
    return page(here, "Note", facts, button(here, "pin", "Pin note"), heading=found["title"])


@APP.post("/notes/{{key}}/pin")
def note_pin(here: Here, key: str) -> Redirect:
    pin(here.state, key)
    return here.to(f"/notes/{{key}}", "Note pinned")
'''
_TASKS = '''"""{title}'s task templates, each with its oracle."""

from __future__ import annotations

import random

from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, saw
from envs.gyms.view import Page
from envs.gyms.{name}.app import pin


def _draw(world: Company, rng: random.Random, state: State) -> Params:
    """A note that is not pinned yet, so that doing nothing is no success."""
    note = rng.choice([n for n in state["{name}"]["notes"] if not n["pinned"]])
    return {{"note": note["id"], "title": note["title"], "author": note["author"]}}


def _expect(world: Company, p: Params, state: State) -> None:
    pin(state["{name}"], p["note"])


def _solve(page: Page, p: Params) -> Script:
    page = yield from ways.search(page, p["title"])
    page = yield from ways.open_item(page, p["title"])
    yield from ways.press(page, "this is the one", "Pin note")
    return None


TEMPLATES = (
    Template(
        name="pin_note",
        skills=("search",),
        steps=4,
        phrasings=("Pin the note {{title}}.", "Pin {author_of} note {{title}}."),
        draw=_draw,
        solve=_solve,
        milestones=(("note", saw("{name}:note:{{note}}")), FINISHED),
        expected=_expect,
    ),
)
'''
_TEST = '''"""{title}: the verifier matrix on real pages."""

from __future__ import annotations

import pytest

from envs.gyms.audit import Auditor
from envs.gyms.registry import get_web_gym


@pytest.mark.browser
async def test_each_template_is_solved_by_its_oracle_and_by_nothing_else() -> None:
    gym = get_web_gym("{name}")
    async with Auditor(2) as auditor:
        rows = await auditor.matrix(gym, gym.templates, range(2))
    assert all(row.whole for row in rows), [row.failures for row in rows]
'''


class BadName(ValueError):
    """A gym cannot be called so; the message says why."""


def make(name: str, root: Path = ROOT) -> list[Path]:
    """The files written. Raises BadName."""
    if _NAME.fullmatch(name) is None:
        raise BadName(f"{name!r}: a name has 2 to 21 lower-case letters and digits")
    folder, test = root / "envs" / "gyms" / name, root / "tests" / "envs" / "gyms"
    if folder.exists() or not (root / "envs" / "gyms" / "kit").is_dir():
        raise BadName(
            f"{folder} exists already" if folder.exists() else f"{root} is no checkout of Deskhand"
        )
    words = {"name": name, "title": name.capitalize(), "author_of": "{author}'s"}
    files = {
        folder / "__init__.py": '"""{title}: notes that can be pinned."""\n',
        folder / "gym.py": _GYM,
        folder / "app.py": _APP,
        folder / "tasks.py": _TASKS,
        test / f"test_{name}.py": _TEST,
    }
    folder.mkdir()
    test.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        path.write_text(text.format(**words))
    return list(files)
