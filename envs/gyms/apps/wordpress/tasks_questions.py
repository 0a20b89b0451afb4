"""Questions that the lists of the administration answer."""

from __future__ import annotations

import random

from envs.gyms.apps.wordpress.oracle_moves import open_list, search_list
from envs.gyms.apps.wordpress.sampling import choose_comment, choose_person, site_of
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.real.logins import login_of
from envs.gyms.real.searches import search_of
from envs.gyms.server.gym import OracleLost, State
from envs.gyms.server.view import Page


def _sample_post(world: Company, rng: random.Random, state: State) -> Params:
    return {"title": rng.choice(site_of(world).titles("publish"))}


def _author(world: Company, p: Params, state: State) -> str:
    return site_of(world).post(p["title"]).author


def _links_after(page: Page, name: str) -> list[str]:
    """The links behind the one of this name, in the row of a list."""
    links = [line.name for line in page.lines if line.role == "link"]
    if name not in links:
        raise OracleLost(f"no link {name!r} on page {page.title!r}")
    return links[links.index(name) + 1 :]


def _tell_author(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts")
    page = yield from search_list(page, p["title"])
    return _links_after(page, f"“{p['title']}” (Edit)")[0]


def _sample_comment(world: Company, rng: random.Random, state: State) -> Params:
    return {"who": choose_comment(world, rng, "0", "1").author}


def _post_of_comment(world: Company, p: Params, state: State) -> str:
    return next(entry.post for entry in site_of(world).comments if entry.author == p["who"])


def _comment_email(world: Company, p: Params, state: State) -> str:
    return next(entry.email for entry in site_of(world).comments if entry.author == p["who"])


def _comment_links(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Comments")
    page = yield from search_list(page, p["who"])
    links = [line.name for line in page.lines if line.role == "link"]
    email = next((name for name in links if "@" in name), None)
    if email is None:
        raise OracleLost(f"no comment of {p['who']}")
    return f"{email}\n{links[links.index(email) + 1]}"


def _tell_email(page: Page, p: Params) -> Script:
    links = yield from _comment_links(page, p)
    return (links or "").split("\n")[0]


def _tell_post(page: Page, p: Params) -> Script:
    links = yield from _comment_links(page, p)
    return (links or "").split("\n")[1]


def _sample_person(world: Company, rng: random.Random, state: State) -> Params:
    person = choose_person(world, rng)
    return {"who": person.name, "login": login_of(person), "email": person.email}


def _login(world: Company, p: Params, state: State) -> str:
    return str(p["login"])


def _tell_login(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Users")
    page = yield from search_list(page, p["email"])
    for line in page.lines:
        if line.role == "check" and line.name.startswith("Select ") and line.name != "Select All":
            return line.name.removeprefix("Select ")
    raise OracleLost(f"no user with {p['email']}")


QUESTIONS = (
    Template(
        name="author_of",
        skills=("search", "answer"),
        oracle_steps=2,
        phrasings=('Who wrote the post "{title}"?', "Who is the author of the post {title}?"),
        sample_params=_sample_post,
        solve=_tell_author,
        expected_answer=_author,
        milestones=(("searched", search_of("wordpress:search", "title")), FINISHED),
    ),
    Template(
        name="commented_post",
        skills=("search", "answer"),
        oracle_steps=2,
        phrasings=(
            "What is the title of the post that {who} commented on?",
            "Which post did {who} write a comment on? Give its title.",
        ),
        sample_params=_sample_comment,
        solve=_tell_post,
        expected_answer=_post_of_comment,
        milestones=(("searched", search_of("wordpress:search", "who")), FINISHED),
    ),
    Template(
        name="comment_email",
        skills=("search", "answer"),
        oracle_steps=2,
        phrasings=(
            "Which mail address did {who} leave with a comment?",
            "{who} wrote a comment on the site. From which mail address?",
        ),
        sample_params=_sample_comment,
        solve=_tell_email,
        expected_answer=_comment_email,
        milestones=(("searched", search_of("wordpress:search", "who")), FINISHED),
    ),
    Template(
        name="login_of",
        skills=("search", "answer"),
        oracle_steps=2,
        phrasings=(
            "Which user name has the user with the mail address {email}?",
            "Somebody signs in with another name than {email}. What is the user name?",
        ),
        sample_params=_sample_person,
        solve=_tell_login,
        expected_answer=_login,
        milestones=(("searched", search_of("wordpress:search", "email")), FINISHED),
    ),
)
