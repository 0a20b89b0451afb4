"""Questions that the handbook answers."""

from __future__ import annotations

import random

from envs.gyms.apps.mediawiki.oracle_moves import (
    fact,
    open_page,
    open_tab,
    search_text,
    section_entries,
)
from envs.gyms.apps.mediawiki.sampling import book_of, choose_client, choose_person, pages_of
from envs.gyms.apps.mediawiki.tasks_editing import VISITED_CLIENT, VISITED_PERSON
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import OracleLost, State
from envs.gyms.server.view import Page


def _sample_client(world: Company, rng: random.Random, state: State) -> Params:
    firm = choose_client(world, rng)
    return {"firm": firm.name, "contract": book_of(world).contracts[firm.name]}


def _manager(world: Company, p: Params, state: State) -> str:
    return book_of(world).managers[p["firm"]].name


def _tell_manager(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    return fact(page, "Account manager")


def _contract(world: Company, p: Params, state: State) -> str:
    return book_of(world).contracts[p["firm"]]


def _tell_contract(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    return fact(page, "Contract")


def _sample_person(world: Company, rng: random.Random, state: State) -> Params:
    return {"who": choose_person(world, rng).name}


def _room(world: Company, p: Params, state: State) -> str:
    return book_of(world).rooms[p["who"]]


def _tell_room(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["who"])
    for entry in section_entries(page, "Contact"):
        if entry.startswith("Room: "):
            return entry.removeprefix("Room: ")
    raise OracleLost(f"no room on page {page.title!r}")


def _last_editor(world: Company, p: Params, state: State) -> str:
    return book_of(world).last_editor(p["firm"])


def _tell_last_editor(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    page = yield from open_tab(page, "History", "who changed it")
    links = [line.name for line in page.elements("link")]
    # The author stands before the first "talk": the newest version is on top.
    return links[links.index("talk") - 1]


def _city(world: Company, p: Params, state: State) -> str:
    text = pages_of(state)[p["firm"]]
    return text.split("! City\n| ")[1].split("\n")[0]


def _tell_city(page: Page, p: Params) -> Script:
    page = yield from search_text(page, p["contract"])
    line = page.find("link", p["firm"])
    if line is None:
        raise OracleLost(f"no page with {p['contract']} among the results")
    page = yield page.click_on("the page with this number", line)
    return fact(page, "City")


def _sample_manager_phone(world: Company, rng: random.Random, state: State) -> Params:
    return {"firm": choose_client(world, rng).name}


def _manager_phone(world: Company, p: Params, state: State) -> str:
    return book_of(world).managers[p["firm"]].phone


def _tell_manager_phone(page: Page, p: Params) -> Script:
    page = yield from open_page(page, p["firm"])
    page = yield from navigation.open_link(
        page, "the manager's page", fact(page, "Account manager")
    )
    for entry in section_entries(page, "Contact"):
        if entry.startswith("Phone: "):
            return entry.removeprefix("Phone: ")
    raise OracleLost(f"no phone on page {page.title!r}")


QUESTIONS = (
    Template(
        name="manager_of",
        skills=("search", "answer"),
        oracle_steps=1,
        phrasings=(
            "Who is the account manager of {firm}?",
            "Which colleague is responsible for the client {firm} as account manager?",
        ),
        sample_params=_sample_client,
        solve=_tell_manager,
        expected_answer=_manager,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
    Template(
        name="contract_of",
        skills=("search", "answer"),
        oracle_steps=1,
        phrasings=(
            "What is the number of the contract with {firm}?",
            "Under which number does the handbook list the contract of {firm}?",
        ),
        sample_params=_sample_client,
        solve=_tell_contract,
        expected_answer=_contract,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
    Template(
        name="room_of",
        skills=("search", "answer"),
        oracle_steps=1,
        phrasings=("In which room does {who} sit?", "What is the room number of {who}?"),
        sample_params=_sample_person,
        solve=_tell_room,
        expected_answer=_room,
        milestones=(VISITED_PERSON, FINISHED),
    ),
    Template(
        name="last_editor",
        skills=("search", "menu", "answer"),
        oracle_steps=2,
        phrasings=(
            "Who made the newest version of the page {firm}?",
            "Whose is the last change of the page on {firm}?",
        ),
        sample_params=_sample_client,
        solve=_tell_last_editor,
        expected_answer=_last_editor,
        milestones=(
            VISITED_CLIENT,
            ("history", visited_page("mediawiki:history:{firm}")),
            FINISHED,
        ),
    ),
    Template(
        name="city_by_contract",
        skills=("search", "recall", "answer"),
        oracle_steps=2,
        phrasings=(
            "In which city is the client with the contract {contract}?",
            "One client has the contract {contract}. Which city is it in?",
        ),
        sample_params=_sample_client,
        solve=_tell_city,
        expected_answer=_city,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
    Template(
        name="manager_phone",
        skills=("search", "multi-step", "answer"),
        oracle_steps=2,
        phrasings=(
            "What is the phone number of the account manager of {firm}?",
            "I want to call whoever is the account manager of {firm}. Which number do I dial?",
        ),
        sample_params=_sample_manager_phone,
        solve=_tell_manager_phone,
        expected_answer=_manager_phone,
        milestones=(VISITED_CLIENT, FINISHED),
    ),
)
