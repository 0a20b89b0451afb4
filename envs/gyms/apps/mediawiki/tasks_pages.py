"""Tasks on pages as such: make, rename, delete, restore, protect, watch, discuss."""

from __future__ import annotations

import random

from envs.contract.actions import Click, SetValue, Wait
from envs.gyms.apps.mediawiki.content import ROOMS
from envs.gyms.apps.mediawiki.oracle_moves import (
    open_page,
    open_tab,
    save_text,
    search_text,
)
from envs.gyms.apps.mediawiki.sampling import (
    book_of,
    choose_client,
    choose_person,
    pages_of,
)
from envs.gyms.apps.mediawiki.state import fold_text
from envs.gyms.apps.mediawiki.tasks_editing import VISITED_CLIENT, VISITED_PERSON
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import FIRM_SECOND
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import (
    FINISHED,
    Params,
    Resample,
    TaskStates,
    Template,
    visited_page,
)
from envs.gyms.real.searches import search_of
from envs.gyms.server.gym import OracleLost, OracleMove, State
from envs.gyms.server.view import Page

MAX_LOOKS = 5
"""The tab tells what a script has done, which the page does not wait for."""
EVERYBODY, ADMINISTRATORS = "Allow all users", "Allow only administrators"
QUESTIONS = (
    ("Invoices", "Who gets the invoices of this client?"),
    ("Deliveries", "Do they accept deliveries in the afternoon?"),
    ("Renewal", "When is the contract renewed?"),
    ("Visits", "Who comes along to the next visit?"),
)


def _sample_newcomer(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(book_of(world).lone)
    return {"who": person.name, "text": f"{person.name} sits in room {rng.choice(ROOMS)}."}


def _apply_newcomer(world: Company, p: Params, state: State) -> None:
    pages_of(state)[p["who"]] = p["text"]


def _open_missing(page: Page, title: str) -> navigation.Moves:
    """The page of a title that has none yet, by the search's offer to make it."""
    page = yield from search_text(page, title)
    return (yield from navigation.click(page, "there is none: make it", title, role="link"))


def _make_page(page: Page, p: Params) -> Script:
    page = yield from _open_missing(page, p["who"])
    yield from save_text(page, p["text"])
    return None


def _sample_redirect(world: Company, rng: random.Random, state: State) -> Params:
    firm = choose_client(world, rng)
    return {"firm": firm.name, "contract": book_of(world).contracts[firm.name]}


def _apply_redirect(world: Company, p: Params, state: State) -> None:
    pages_of(state)[p["contract"]] = f"#REDIRECT [[{p['firm']}]]"


def _make_redirect(page: Page, p: Params) -> Script:
    page = yield from _open_missing(page, p["contract"])
    yield from save_text(page, f"#REDIRECT [[{p['firm']}]]", "lead on from here")
    return None


def _sample_rename(world: Company, rng: random.Random, state: State) -> Params:
    firm = choose_client(world, rng)
    new = f"{firm.name.split()[0]} {rng.choice(FIRM_SECOND)}"
    if new in {*pages_of(state), *(other.name for other in world.firms)}:
        raise Resample("a name that no firm has")
    return {"firm": firm.name, "new": new}


def _apply_rename(world: Company, p: Params, state: State) -> None:
    pages = pages_of(state)
    pages[p["new"]] = pages[p["firm"]]
    pages[p["firm"]] = f"#REDIRECT [[{p['new']}]]"
    if state["mediawiki"]["watched"].get(p["firm"]):
        state["mediawiki"]["watched"][p["new"]] = True


def _rename(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    page = yield from open_tab(page, "Move", "a page is renamed by moving it")
    page = yield from navigation.fill_fields(page, {"wpNewTitleMain": p["new"]})
    yield from navigation.click(page, "the old name leads on", "Move page")
    return None


def _sample_draft(world: Company, rng: random.Random, state: State) -> Params:
    return {"draft": rng.choice(book_of(world).drafts)}


def _apply_deletion(world: Company, p: Params, state: State) -> None:
    del pages_of(state)[p["draft"]]


def _delete(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["draft"])
    page = yield from open_tab(page, "Delete", "this page is to go")
    yield from navigation.click(page, "yes, delete it", "Delete page")
    return None


def _sample_gone(world: Company, rng: random.Random, state: State) -> Params:
    return {"firm": rng.choice(book_of(world).deleted)}


def _apply_restoring(world: Company, p: Params, state: State) -> None:
    text = [entry.text for entry in book_of(world).revisions if entry.title == p["firm"]][-1]
    pages_of(state)[p["firm"]] = fold_text(text)


def _restore(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "a tool for deleted pages", "Special pages")
    page = yield from navigation.open_link(page, "there", "View deleted pages")
    box = "Show page titles containing:"
    page = yield page.type_into(f"search for {p['firm']}", box, p["firm"], submit=True)
    page = yield from navigation.open_link(page, "this one", p["firm"])
    yield from navigation.click(page, "bring it back", "Undelete")
    return None


def _sample_client(world: Company, rng: random.Random, state: State) -> Params:
    return {"firm": choose_client(world, rng).name}


def _apply_protection(world: Company, p: Params, state: State) -> None:
    state["mediawiki"]["protected"][p["firm"]] = {"edit": "sysop", "move": "sysop"}


def _protect(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    page = yield from open_tab(page, "Protect", "who may change it")
    # The level of moving follows until it is unlocked.
    page = yield from navigation.click(page, "who may edit it", EVERYBODY, role="select")
    page = yield from navigation.click(page, "these alone", ADMINISTRATORS, role="option")
    yield from navigation.click(page, "that is all", "Confirm")
    return None


def _sample_unwatched(world: Company, rng: random.Random, state: State) -> Params:
    person = choose_person(world, rng)
    if person.name in state["mediawiki"]["watched"]:
        raise Resample("a page that is not watched")
    return {"who": person.name}


def _apply_watching(world: Company, p: Params, state: State) -> None:
    state["mediawiki"]["watched"][p["who"]] = True


def _watch(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["who"])
    page = yield from open_tab(page, "Watch", "watch this page")
    if button := page.find("button", "OK"):
        page = yield page.click_on("yes", button)
    for _ in range(MAX_LOOKS):
        if page.find("link", "Unwatch"):
            return None
        page = yield OracleMove("has it been noted?", Wait(ms=2000))
    raise OracleLost(f"{p['who']} is not watched")


def _sample_watched(world: Company, rng: random.Random, state: State) -> Params:
    return {"title": rng.choice(sorted(state["mediawiki"]["watched"]))}


def _apply_unwatching(world: Company, p: Params, state: State) -> None:
    del state["mediawiki"]["watched"][p["title"]]


def _unwatch(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "what is watched", "Watchlist")
    page = yield from navigation.open_link(page, "change the list", "View and edit watchlist")
    line = page.find_prefix("check", p["title"])
    if line is None:
        raise OracleLost(f"{p['title']} is not on the watchlist")
    page = yield OracleMove("this one", Click(target=page.target(line)))
    yield from navigation.click(page, "off the list", "Remove titles")
    return None


def _sample_question(world: Company, rng: random.Random, state: State) -> Params:
    subject, text = rng.choice(QUESTIONS)
    return {"firm": choose_client(world, rng).name, "subject": subject, "text": text}


def _apply_question(world: Company, p: Params, state: State) -> None:
    pages_of(state)[f"Talk:{p['firm']}"] = f"== {p['subject']} ==\n{p['text']} ~~~~"


def _ask(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    page = yield from open_tab(page, "Discussion", "questions go there")
    if (plus := page.find("link", "+")) is None:
        raise OracleLost(f"no way to a new topic on {page.title!r}")
    page = yield page.click_on("a new topic", plus)
    page = yield from navigation.fill_fields(page, {"Subject:": p["subject"]})
    yield from save_text(page, f"{p['text']} ~~~~", "the question, signed")
    return None


def _sample_signature(world: Company, rng: random.Random, state: State) -> Params:
    first, last = world.user.name.split(" ", 1)
    return {"signature": f"{first[0]}. {last}, {world.name}"}


def _apply_signature(world: Company, p: Params, state: State) -> None:
    state["mediawiki"]["settings"]["nickname"] = p["signature"]


def _set_signature(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "a setting of mine", "Preferences")
    page, line = yield from navigation.scroll_to(page, "box", "New signature:")
    # Leaving the field is what enables the button.
    move = SetValue(target=page.target(line), value=p["signature"])
    page = yield OracleMove(f"the new one: {p['signature']}", move)
    yield from navigation.click(page, "keep it", "Save")
    return None


def _sample_missing(world: Company, rng: random.Random, state: State) -> Params:
    return {"who": rng.choice(book_of(world).lone).name, "new": rng.choice(ROOMS)}


def _look_for_missing(page: Page, p: Params) -> Script:
    page = yield from search_text(page, p["who"])
    if page.find_prefix("link", p["who"]) is None:
        raise OracleLost("the search shows neither the page nor that there is none")
    raise GiveUp(f"the handbook has no page on {p['who']}")
    yield


def _saw_none(states: TaskStates) -> bool:
    """A search for the name, in any capitals, or the page itself said that there is none."""
    return search_of("mediawiki:search", "who")(states) or visited_page("mediawiki:missing:{who}")(
        states
    )


PAGES = (
    Template(
        name="make_page",
        skills=("search", "form"),
        oracle_steps=4,
        phrasings=(
            "Make a page {who} in the handbook. It says: {text}",
            'The handbook lacks a page on {who}. Write one with this text only: "{text}"',
        ),
        sample_params=_sample_newcomer,
        solve=_make_page,
        apply_expected=_apply_newcomer,
        milestones=(("searched", _saw_none), FINISHED),
    ),
    Template(
        name="make_redirect",
        skills=("search", "form"),
        oracle_steps=4,
        phrasings=(
            "People look for contracts by number. Make a page {contract} that redirects to {firm}.",
            "The title {contract} shall lead to the page {firm}: make the redirect.",
        ),
        sample_params=_sample_redirect,
        solve=_make_redirect,
        apply_expected=_apply_redirect,
        milestones=(FINISHED,),
    ),
    Template(
        name="rename_page",
        skills=("search", "menu", "form"),
        oracle_steps=4,
        phrasings=(
            "{firm} is called {new} now. Move the page to the new name and leave a redirect.",
            "Rename the page {firm} to {new}; the old title must still lead there.",
        ),
        sample_params=_sample_rename,
        solve=_rename,
        apply_expected=_apply_rename,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
    Template(
        name="delete_page",
        skills=("search", "menu", "dialog"),
        oracle_steps=3,
        phrasings=(
            "Nobody needs the page {draft} any more. Delete it.",
            "Delete the handbook's page {draft}.",
        ),
        sample_params=_sample_draft,
        solve=_delete,
        apply_expected=_apply_deletion,
        milestones=(("page", visited_page("mediawiki:view:{draft}")), FINISHED),
    ),
    Template(
        name="restore_page",
        skills=("search", "multi-step", "recover"),
        oracle_steps=5,
        phrasings=(
            "{firm} is a client again. Its page was deleted: restore it.",
            "Bring the deleted page {firm} back.",
        ),
        sample_params=_sample_gone,
        solve=_restore,
        apply_expected=_apply_restoring,
        milestones=(FINISHED,),
    ),
    Template(
        name="protect_page",
        skills=("search", "menu", "form"),
        oracle_steps=5,
        phrasings=(
            "Only administrators shall be able to edit or move the page {firm}, for good.",
            "Protect the page {firm}: editing and moving for administrators only, without an end.",
        ),
        sample_params=_sample_client,
        solve=_protect,
        apply_expected=_apply_protection,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
    Template(
        name="watch_page",
        skills=("search", "menu"),
        oracle_steps=3,
        phrasings=(
            "Put the page of {who} on my watchlist.",
            "I want to follow changes of the page {who}: watch it.",
        ),
        sample_params=_sample_unwatched,
        solve=_watch,
        apply_expected=_apply_watching,
        milestones=(VISITED_PERSON, FINISHED),
    ),
    Template(
        name="unwatch_page",
        skills=("menu", "form", "multi-step"),
        oracle_steps=4,
        phrasings=(
            "Take {title} off my watchlist.",
            "I no longer want to watch the page {title}. Leave the others on the list.",
        ),
        sample_params=_sample_watched,
        solve=_unwatch,
        apply_expected=_apply_unwatching,
        milestones=(FINISHED,),
    ),
    Template(
        name="ask_on_talk",
        skills=("search", "menu", "form"),
        oracle_steps=6,
        phrasings=(
            'Ask on the talk page of {firm}, under the heading {subject}: "{text}" Sign it with '
            "~~~~.",
            'Start a topic "{subject}" in the discussion of the page {firm} with the text '
            '"{text}" and sign with four tildes.',
        ),
        sample_params=_sample_question,
        solve=_ask,
        apply_expected=_apply_question,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
    Template(
        name="set_signature",
        skills=("menu", "form"),
        oracle_steps=5,
        phrasings=(
            "Set my signature to {signature}.",
            'In my preferences, make "{signature}" my signature.',
        ),
        sample_params=_sample_signature,
        solve=_set_signature,
        apply_expected=_apply_signature,
        milestones=(FINISHED,),
    ),
    Template(
        name="missing_person",
        skills=("search", "refuse"),
        oracle_steps=2,
        phrasings=(
            "Change Room on the handbook's page of {who} to {new}.",
            "{who} has moved to room {new}. Correct the page of {who}, but make no new one.",
        ),
        sample_params=_sample_missing,
        solve=_look_for_missing,
        infeasible=True,
        has_met_refusal=_saw_none,
        milestones=(("searched", _saw_none), FINISHED),
    ),
)
