"""Tasks that change what a page says: one section at a time, so that nothing else is touched."""

from __future__ import annotations

import random

from envs.gyms.apps.mediawiki.content import NOTES, ROOMS, TYPOS
from envs.gyms.apps.mediawiki.oracle_moves import (
    edit_section,
    fact,
    open_page,
    open_tab,
    save_text,
    section_entries,
)
from envs.gyms.apps.mediawiki.sampling import (
    book_of,
    choose_client,
    choose_person,
    pages_of,
    replace_in_page,
)
from envs.gyms.apps.mediawiki.state import fold_text
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import CITIES, DEPARTMENTS
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_PERSON = ("page", visited_page("mediawiki:view:{who}"))
VISITED_CLIENT = ("page", visited_page("mediawiki:view:{firm}"))
CLIENTS_END = "\n\n[[Category:Clients]]"
"""What the last section of a client's page ends with."""


def _sample_detail(world: Company, rng: random.Random, state: State) -> Params:
    person, book = choose_person(world, rng), book_of(world)
    old = {"Phone": person.phone, "Room": book.rooms[person.name], "City": person.city}
    name = rng.choice(list(old))
    new = {
        "Phone": f"+1 555 {rng.randint(100, 999)} {rng.randint(1000, 9999)}",
        "Room": rng.choice(ROOMS),
        "City": rng.choice(CITIES),
    }
    if new[name] == old[name]:
        raise Resample("another value")
    return {"who": person.name, "detail": name, "old": old[name], "new": new[name]}


def _apply_detail(world: Company, p: Params, state: State) -> None:
    line = f"* {p['detail']}: "
    replace_in_page(state, p["who"], line + p["old"], line + p["new"])


def _change_detail(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["who"])
    entries = section_entries(page, "Contact")
    page = yield from edit_section(page, "Contact")
    lines = [
        f"{p['detail']}: {p['new']}" if entry.startswith(f"{p['detail']}: ") else entry
        for entry in entries
    ]
    text = "== Contact ==\n" + "\n".join(f"* {line}" for line in lines)
    yield from save_text(page, text, f"{p['detail']} becomes {p['new']}")
    return None


def _sample_new_member(world: Company, rng: random.Random, state: State) -> Params:
    firm, book = choose_client(world, rng), book_of(world)
    others = [person for person in book.staff if person not in book.teams[firm.name]]
    last = book.teams[firm.name][-1]
    return {"firm": firm.name, "who": rng.choice(others).name, "last": last.name}


def _apply_new_member(world: Company, p: Params, state: State) -> None:
    line = f"* [[{p['last']}]]\n== Notes =="
    replace_in_page(state, p["firm"], line, f"* [[{p['last']}]]\n* [[{p['who']}]]\n== Notes ==")


def _write_team(page: Page, names: list[str]) -> navigation.Moves:
    page = yield from edit_section(page, "Team")
    text = "== Team ==\n" + "\n".join(f"* [[{name}]]" for name in names)
    return (yield from save_text(page, text, "the team as it is now"))


def _add_member(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    yield from _write_team(page, [*section_entries(page, "Team"), p["who"]])
    return None


def _sample_old_member(world: Company, rng: random.Random, state: State) -> Params:
    firm = choose_client(world, rng)
    return {"firm": firm.name, "who": rng.choice(book_of(world).teams[firm.name]).name}


def _apply_old_member(world: Company, p: Params, state: State) -> None:
    # The account manager is linked from the table as well: only the list's line goes.
    replace_in_page(state, p["firm"], f"\n* [[{p['who']}]]", "")


def _remove_member(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    names = [name for name in section_entries(page, "Team") if name != p["who"]]
    yield from _write_team(page, names)
    return None


def _sample_note(world: Company, rng: random.Random, state: State) -> Params:
    firm = choose_client(world, rng)
    note = rng.choice([note for note in NOTES if note not in pages_of(state)[firm.name]])
    return {"firm": firm.name, "note": note}


def _apply_note(world: Company, p: Params, state: State) -> None:
    pages = pages_of(state)
    head = pages[p["firm"]].split("== Notes ==")[0]
    pages[p["firm"]] = f"{head}== Notes ==\n{p['note']}\n[[Category:Clients]]"


def _write_note(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    page = yield from edit_section(page, "Notes")
    yield from save_text(page, f"== Notes ==\n{p['note']}{CLIENTS_END}", "the new note")
    return None


def _sample_typo(world: Company, rng: random.Random, state: State) -> Params:
    who, typo = rng.choice(sorted(book_of(world).misspelled.items()))
    return {"who": who, "typo": typo, "right": TYPOS[typo]}


def _apply_typo(world: Company, p: Params, state: State) -> None:
    replace_in_page(state, p["who"], p["typo"], p["right"])


def _fix_typo(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["who"])
    entries = section_entries(page, "Contact")
    page = yield from edit_section(page, "Contact")
    lines = [entry.replace(p["typo"], p["right"]) for entry in entries]
    text = "== Contact ==\n" + "\n".join(f"* {line}" for line in lines)
    yield from save_text(page, text, f"{p['right']} for {p['typo']}")
    return None


def _sample_department(world: Company, rng: random.Random, state: State) -> Params:
    person = choose_person(world, rng)
    others = [name for name in DEPARTMENTS if name != person.department]
    return {"who": person.name, "old": person.department, "new": rng.choice(others)}


def _apply_department(world: Company, p: Params, state: State) -> None:
    replace_in_page(state, p["who"], f"[[Category:{p['old']}]]", f"[[Category:{p['new']}]]")


def _move_category(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["who"])
    names = section_entries(page, "Clients")
    page = yield from edit_section(page, "Clients")
    clients = names if names == ["None."] else [f"* [[{name}]]" for name in names]
    lines = ["== Clients ==", *clients, "", f"[[Category:{p['new']}]]"]
    yield from save_text(page, "\n".join(lines), f"the category is {p['new']}")
    return None


def _sample_vandalism(world: Company, rng: random.Random, state: State) -> Params:
    firm = rng.choice(book_of(world).vandalised)
    return {"firm": firm, "who": book_of(world).last_editor(firm)}


def _apply_undo(world: Company, p: Params, state: State) -> None:
    versions = [entry for entry in book_of(world).revisions if entry.title == p["firm"]]
    pages_of(state)[p["firm"]] = fold_text(versions[-2].text)


def _undo(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    page = yield from open_tab(page, "History", "the last change is in the history")
    page = yield from navigation.click(page, "undo the newest change", "undo", role="link")
    yield from navigation.click(page, "save the page as it was", "Save")
    return None


def _sample_status(world: Company, rng: random.Random, state: State) -> Params:
    firm, book = choose_client(world, rng), book_of(world)
    old = book.statuses[firm.name]
    new = rng.choice([status for status in ("active", "on hold", "closing") if status != old])
    return {"firm": firm.name, "old": old, "new": new}


def _apply_status(world: Company, p: Params, state: State) -> None:
    replace_in_page(state, p["firm"], f"! Status\n| {p['old']}\n", f"! Status\n| {p['new']}\n")


def _change_status(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    facts = {
        name: fact(page, name)
        for name in ("City", "Contact", "Account manager", "Contract", "Status")
    }
    facts |= {"Account manager": f"[[{facts['Account manager']}]]", "Status": p["new"]}
    page = yield from edit_section(page, "Facts")
    rows = "".join(f"|-\n! {name}\n| {value}\n" for name, value in facts.items())
    text = f'== Facts ==\n{{| class="wikitable"\n{rows}|}}'
    yield from save_text(page, text, f"the status is {p['new']}")
    return None


EDITING = (
    Template(
        name="change_detail",
        skills=("search", "form", "multi-step"),
        oracle_steps=4,
        phrasings=(
            "In the handbook, the {detail} of {who} is now {new}. Correct the page.",
            "Change {detail} on the handbook's page of {who} to {new}.",
        ),
        sample_params=_sample_detail,
        solve=_change_detail,
        apply_expected=_apply_detail,
        milestones=(VISITED_PERSON, FINISHED),
    ),
    Template(
        name="add_member",
        skills=("search", "form", "multi-step"),
        oracle_steps=4,
        phrasings=(
            "{who} joins the team of {firm}. Add a link to that page at the end of the list of the "
            "team on the client's page.",
            "On the page {firm}, add [[{who}]] as the last entry of the list under Team.",
        ),
        sample_params=_sample_new_member,
        solve=_add_member,
        apply_expected=_apply_new_member,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
    Template(
        name="remove_member",
        skills=("search", "form", "multi-step"),
        oracle_steps=4,
        phrasings=(
            "{who} no longer belongs to the team of {firm}: take the name off the team's list.",
            "On the page {firm}, remove {who} from the list under Team and change nothing else.",
        ),
        sample_params=_sample_old_member,
        solve=_remove_member,
        apply_expected=_apply_old_member,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
    Template(
        name="replace_note",
        skills=("search", "form", "multi-step"),
        oracle_steps=4,
        phrasings=(
            "Replace the text under Notes on the page of {firm} with: {note}",
            'The notes on {firm} are out of date. They shall say only: "{note}" The page stays in '
            "its category.",
        ),
        sample_params=_sample_note,
        solve=_write_note,
        apply_expected=_apply_note,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
    Template(
        name="fix_typo",
        skills=("search", "form", "multi-step"),
        oracle_steps=4,
        phrasings=(
            'On the page of {who}, "{typo}" is misspelled: it should be "{right}".',
            'Correct the spelling of "{typo}" to "{right}" on the page {who}.',
        ),
        sample_params=_sample_typo,
        solve=_fix_typo,
        apply_expected=_apply_typo,
        milestones=(VISITED_PERSON, FINISHED),
    ),
    Template(
        name="move_category",
        skills=("search", "form", "multi-step"),
        oracle_steps=4,
        phrasings=(
            "Put the page of {who} into the category {new} instead of {old}.",
            "The page {who} belongs to the category {new}, no longer to {old}. Change only that.",
        ),
        sample_params=_sample_department,
        solve=_move_category,
        apply_expected=_apply_department,
        milestones=(VISITED_PERSON, FINISHED),
    ),
    Template(
        name="undo_change",
        skills=("search", "multi-step", "recover"),
        oracle_steps=5,
        phrasings=(
            "{who} spoilt the page of {firm} with the last change. Undo that change.",
            "Undo the newest change of the page {firm}, which {who} made.",
        ),
        sample_params=_sample_vandalism,
        solve=_undo,
        apply_expected=_apply_undo,
        milestones=(
            VISITED_CLIENT,
            ("history", visited_page("mediawiki:history:{firm}")),
            FINISHED,
        ),
    ),
    Template(
        name="change_status",
        skills=("search", "form", "multi-step"),
        oracle_steps=4,
        phrasings=(
            "The status of the client {firm} is {new} now. Correct the table on its page.",
            'In the facts on {firm}, change the status from "{old}" to "{new}".',
        ),
        sample_params=_sample_status,
        solve=_change_status,
        apply_expected=_apply_status,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
)
