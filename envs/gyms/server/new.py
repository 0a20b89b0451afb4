"""`deskhand gym new`: a working app with one template, ready to be changed.

Guarantees: nothing that exists is overwritten; what is written passes its own tests as it is.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_NAME = re.compile(r"[a-z][a-z0-9]{1,20}")

_GYM = '''"""{title} as a gym."""

from __future__ import annotations

from envs.gyms.kit.gym import AppGym
from envs.gyms.apps.{name}.app import APP
from envs.gyms.apps.{name}.tasks import TEMPLATES

GYM = AppGym("{name}", (APP,), TEMPLATES)
'''
_APP = '''"""{title}'s state, rules and pages: a list of notes, each of which can be pinned."""

from __future__ import annotations

import random

from envs.gyms.server.gym import Refused, State
from envs.gyms.kit.app import App
from envs.gyms.kit.company import Company
from envs.gyms.kit.html import badge, button, details, link
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import RequestContext
from envs.gyms.kit.request import Redirect

PAGES = PageGroup()
NOTES = 60


def make_state(world: Company) -> State:
    """The app's state for a seed: plain JSON, every record with its own id."""
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


def pin(state: State, key: str) -> None:
    """Pins a note: the rule behind the page's button and the verifier. Raises Refused."""
    note = get_record(state, "notes", key)
    if note["pinned"]:
        raise Refused("This note is pinned already")
    note["pinned"] = True


def _make_stray_change(state: State, rng: random.Random) -> None:
    note = rng.choice(state["notes"])
    note["author"] = f"{{note['author']}} jr"


@PAGES.get("/")
def notes(request: RequestContext) -> str:
    """All notes as a list."""
    request.log_event("notes")
    listing = Listing(
        columns=(
            Column("Title", lambda n: link(n["title"], request.url(f"/notes/{{n['id']}}"))),
            Column("Author", lambda n: n["author"]),
            Column("Date", lambda n: request.locale.format_date(n["day"])),
            Column("", lambda n: badge("Pinned") if n["pinned"] else None),
        ),
        searchable_text=lambda n: f"{{n['title']}} {{n['author']}}",
        sorts=(
            Sort("Newest", lambda n: (n["day"], n["id"]), descending=True),
            Sort("Title", lambda n: n["title"]),
        ),
        filters=(
            Filter(
                "pinned",
                "Pinned",
                options=("Yes", "No"),
                get_option=lambda n: "Yes" if n["pinned"] else "No",
            ),
        ),
    )
    return render_page(request, "Notes", listing.render(request, request.state["notes"]))


@PAGES.get("/notes/{{key}}")
def note(request: RequestContext, key: str) -> str:
    """One note, with a button that pins it."""
    record = get_record(request.state, "notes", key)
    request.log_event(f"note:{{key}}")
    facts = details(
        ("Author", record["author"]),
        ("Date", request.locale.format_date(record["day"])),
        ("Pinned", "Yes" if record["pinned"] else "No"),
    )
    pin_button = button(request, "pin", "Pin note")
    return render_page(request, "Note", facts, pin_button, heading=record["title"])


@PAGES.post("/notes/{{key}}/pin")
def note_pin(request: RequestContext, key: str) -> Redirect:
    """Pins the note."""
    pin(request.state, key)
    return request.redirect_to(f"/notes/{{key}}", "Note pinned")


APP = App(
    name="{name}",
    title="{title}",
    nav=(("Notes", "/"),),
    make_state=make_state,
    make_stray_change=_make_stray_change,
    pages=(*PAGES,),
)
'''
_TASKS = '''"""{title}'s task templates, each with its oracle."""

from __future__ import annotations

import random

from envs.gyms.server.gym import State
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.view import Page
from envs.gyms.apps.{name}.app import pin


def _sample_note(world: Company, rng: random.Random, state: State) -> Params:
    """A note that is not pinned yet: doing nothing is not a success."""
    note = rng.choice([n for n in state["{name}"]["notes"] if not n["pinned"]])
    return {{"note": note["id"], "title": note["title"], "author": note["author"]}}


def _apply_expected(world: Company, p: Params, state: State) -> None:
    pin(state["{name}"], p["note"])


def _solve(page: Page, p: Params) -> Script:
    page = yield from navigation.search(page, p["title"])
    page = yield from navigation.open_item(page, p["title"])
    yield from navigation.click(page, "this is the one", "Pin note")
    return None


TEMPLATES = (
    Template(
        name="pin_note",
        skills=("search",),
        oracle_steps=4,
        phrasings=("Pin the note {{title}}.", "Pin {author_of} note {{title}}."),
        sample_params=_sample_note,
        solve=_solve,
        milestones=(("note", visited_page("{name}:note:{{note}}")), FINISHED),
        apply_expected=_apply_expected,
    ),
)
'''
_TEST = '''"""{title}: the verifier matrix on real pages."""

from __future__ import annotations

import pytest

from envs.gyms.server.audit import Auditor
from envs.gyms.server.registry import get_web_gym


@pytest.mark.browser
async def test_each_template_is_solved_by_its_oracle_and_by_nothing_else() -> None:
    gym = get_web_gym("{name}")
    async with Auditor(2) as auditor:
        rows = await auditor.run_matrix(gym, gym.templates, range(2))
    assert all(row.holds for row in rows), [row.failures for row in rows]
'''


class BadName(ValueError):
    """A gym cannot be called so; the message says why."""


def make(name: str, root: Path = ROOT) -> list[Path]:
    """The files written. Raises BadName."""
    if _NAME.fullmatch(name) is None:
        raise BadName(f"{name!r}: a name has 2 to 21 lower-case letters and digits")
    folder, test = (
        root / "envs" / "gyms" / "apps" / name,
        root / "tests" / "envs" / "gyms" / "apps" / name,
    )
    if folder.exists() or not (root / "envs" / "gyms" / "kit").is_dir():
        raise BadName(
            f"{folder} exists already"
            if folder.exists()
            else f"{root} is not a checkout of Deskhand"
        )
    words = {"name": name, "title": name.capitalize(), "author_of": "{author}'s"}
    files = {
        folder / "__init__.py": '"""{title}: notes that can be pinned."""\n',
        folder / "gym.py": _GYM,
        folder / "app.py": _APP,
        folder / "tasks.py": _TASKS,
        test / "test_gym.py": _TEST,
    }
    folder.mkdir()
    test.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        path.write_text(text.format(**words))
    return list(files)
