"""Tasks on what is around the posts: comments, categories, people, settings."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from envs.contract.actions import Type
from envs.gyms.apps.wordpress.content import (
    CATEGORIES,
    DEFAULT_CATEGORY,
    ROLES,
    TAGLINES,
    slug_of,
)
from envs.gyms.apps.wordpress.oracle_moves import (
    apply_to,
    choose,
    open_list,
    search_list,
    tick,
    update,
)
from envs.gyms.apps.wordpress.sampling import (
    choose_comment,
    choose_person,
    choose_stranger,
    part_of,
    site_of,
)
from envs.gyms.apps.wordpress.state import make_user
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.real.logins import login_of
from envs.gyms.server.gym import OracleMove, State
from envs.gyms.server.view import Page

Sample = Callable[[Company, random.Random, State], Params]


def _sample_comment(*statuses: str) -> Sample:
    def sample(world: Company, rng: random.Random, state: State) -> Params:
        comment = choose_comment(world, rng, *statuses)
        return {"who": comment.author, "title": comment.post}

    return sample


def _set_status(status: str) -> Callable[[Company, Params, State], None]:
    def apply(world: Company, p: Params, state: State) -> None:
        part_of(state, "comments")[f"{p['who']} on {p['title']}"]["status"] = status

    return apply


def _act_on_comment(action: str, view: str | None = None) -> Callable[[Page, Params], Script]:
    def solve(page: Page, p: Params) -> Script:
        page = yield from open_list(page, "Comments", *((view,) if view else ()))
        page = yield from search_list(page, p["who"])
        yield from apply_to(page, "Select comment", action)
        return None

    return solve


def _sample_new_category(world: Company, rng: random.Random, state: State) -> Params:
    firm = rng.choice(site_of(world).unnamed)
    return {"new": f"{firm.name} partners", "description": f"All about {firm.name}"}


def _apply_new_category(world: Company, p: Params, state: State) -> None:
    category = {"slug": slug_of(p["new"]), "description": p["description"], "parent": ""}
    part_of(state, "categories")[p["new"]] = category


def _add_category(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts", "Categories")
    fields = {"Name": p["new"], "Description": p["description"]}
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "that is all of it", "Add New Category")
    return None


def _sample_category_name(world: Company, rng: random.Random, state: State) -> Params:
    old = rng.choice(list(CATEGORIES))
    return {"old": old, "new": f"{world.name} {old.lower()}"}


def _replace_category(state: State, old: str, new: str) -> None:
    for post in part_of(state, "posts").values():
        post["categories"] = [new if name == old else name for name in post["categories"]]


def _apply_category_name(world: Company, p: Params, state: State) -> None:
    categories = part_of(state, "categories")
    categories[p["new"]] = categories.pop(p["old"])
    _replace_category(state, p["old"], p["new"])


def _rename_category(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts", "Categories", f"“{p['old']}” (Edit)")
    page = yield from navigation.fill_fields(page, {"Name": p["new"]})
    yield from update(page)
    return None


def _sample_old_category(world: Company, rng: random.Random, state: State) -> Params:
    return {"old": rng.choice(list(CATEGORIES)), "site": world.name}


def _apply_old_category(world: Company, p: Params, state: State) -> None:
    del part_of(state, "categories")[p["old"]]
    _replace_category(state, p["old"], DEFAULT_CATEGORY)


def _delete_category(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts", "Categories")
    yield from apply_to(page, f"Select {p['old']}", "Delete")
    return None


def _sample_newcomer(world: Company, rng: random.Random, state: State) -> Params:
    person = choose_stranger(world, rng)
    return {
        "who": person.name,
        "login": login_of(person),
        "email": person.email,
        "role": rng.choice(ROLES[:3]),
    }


def _apply_newcomer(world: Company, p: Params, state: State) -> None:
    person = next(person for person in world.people if login_of(person) == p["login"])
    part_of(state, "users")[p["login"]] = make_user(person, p["role"])


def _add_user(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Users", "Add New")
    first, last = p["who"].split(" ", 1)
    fields: dict[str, str | bool] = {
        "Username required": p["login"],
        "Email required": p["email"],
        "First Name": first,
        "Last Name": last,
        "Role": p["role"].capitalize(),
    }
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "that is all of it", "Add New User")
    return None


def _sample_role(world: Company, rng: random.Random, state: State) -> Params:
    person = choose_person(world, rng)
    old = site_of(world).roles[person.name]
    new = rng.choice([role for role in ROLES if role != old])
    return {"who": person.name, "login": login_of(person), "old": old, "new": new}


def _apply_role(world: Company, p: Params, state: State) -> None:
    part_of(state, "users")[p["login"]]["role"] = p["new"]


def _change_role(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Users")
    page = yield from search_list(page, p["login"])
    page = yield from tick(page, f"Select {p['login']}")
    page = yield from choose(page, "Change role to…", p["new"].capitalize())
    yield from navigation.click(page, "change it", "Change")
    return None


def _sample_email(world: Company, rng: random.Random, state: State) -> Params:
    person = choose_person(world, rng)
    new = f"{login_of(person)}@news.{world.domain}"
    return {"who": person.name, "login": login_of(person), "new": new}


def _apply_email(world: Company, p: Params, state: State) -> None:
    part_of(state, "users")[p["login"]]["email"] = p["new"]


def _change_email(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Users")
    page = yield from search_list(page, p["login"])
    page = yield from navigation.open_link(page, "this one", p["login"])
    page, line = yield from navigation.scroll_to(page, "box", "Email")
    move = Type(target=page.target(line), text=p["new"], clear=True)
    page = yield OracleMove(p["new"], move)
    yield from navigation.click(page, "keep it", "Update User")
    return None


def _sample_tagline(world: Company, rng: random.Random, state: State) -> Params:
    old = part_of(state, "settings")["blogdescription"]
    line = rng.choice([line for line in TAGLINES if line != old])
    return {"tagline": f"{line}, by {world.name}"}


def _set_option(name: str, value: str) -> Callable[[Company, Params, State], Any]:
    """`value` may name a param: {tagline}."""

    def apply(world: Company, p: Params, state: State) -> None:
        part_of(state, "settings")[name] = value.format(**p)

    return apply


def _set_tagline(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Settings")
    page = yield from navigation.fill_fields(page, {"Tagline": p["tagline"]})
    yield from navigation.click(page, "keep it", "Save Changes")
    return None


def _sample_number(world: Company, rng: random.Random, state: State) -> Params:
    return {"number": str(rng.choice([4, 6, 8, 12, 15, 20])), "site": world.name}


def _set_number(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Settings", "Reading")
    page = yield from navigation.fill_fields(page, {"Blog pages show at most": p["number"]})
    yield from navigation.click(page, "keep it", "Save Changes")
    return None


def _sample_site(world: Company, rng: random.Random, state: State) -> Params:
    return {"site": world.name}


def _moderate(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Settings", "Discussion")
    page = yield from tick(page, "Comment must be manually approved")
    yield from navigation.click(page, "keep it", "Save Changes")
    return None


SITE = (
    Template(
        name="approve_comment",
        skills=("search", "menu"),
        oracle_steps=5,
        phrasings=(
            'Approve the comment of {who} on "{title}".',
            "The comment that {who} left on {title} may appear: approve it.",
        ),
        sample_params=_sample_comment("0"),
        solve=_act_on_comment("Approve"),
        apply_expected=_set_status("1"),
        milestones=(FINISHED,),
    ),
    Template(
        name="spam_comment",
        skills=("search", "menu"),
        oracle_steps=5,
        phrasings=(
            'Mark the comment of {who} on "{title}" as spam.',
            "What {who} wrote below {title} is spam. Mark it so.",
        ),
        sample_params=_sample_comment("0", "1"),
        solve=_act_on_comment("Mark as spam"),
        apply_expected=_set_status("spam"),
        milestones=(FINISHED,),
    ),
    Template(
        name="trash_comment",
        skills=("search", "menu"),
        oracle_steps=5,
        phrasings=(
            'Move the comment of {who} on "{title}" to the trash.',
            "{who} asks us to take back a comment on {title}. Put it into the trash.",
        ),
        sample_params=_sample_comment("0", "1"),
        solve=_act_on_comment("Move to Trash"),
        apply_expected=_set_status("trash"),
        milestones=(FINISHED,),
    ),
    Template(
        name="unspam_comment",
        skills=("search", "menu", "recover"),
        oracle_steps=6,
        phrasings=(
            "The comment of {who} is no spam after all. Take it out of the spam.",
            'Mark the comment of {who} on "{title}", which is in the spam, as not spam.',
        ),
        sample_params=_sample_comment("spam"),
        solve=_act_on_comment("Not spam", "Spam ("),
        apply_expected=_set_status("0"),
        milestones=(FINISHED,),
    ),
    Template(
        name="add_category",
        skills=("form", "menu"),
        oracle_steps=6,
        phrasings=(
            'Add a category {new} with the description "{description}".',
            "The site needs one more category: {new}. Its description: {description}",
        ),
        sample_params=_sample_new_category,
        solve=_add_category,
        apply_expected=_apply_new_category,
        milestones=(("list", visited_page("wordpress:page:edit-tags")), FINISHED),
    ),
    Template(
        name="rename_category",
        skills=("form", "menu"),
        oracle_steps=6,
        phrasings=(
            "Rename the category {old} to {new}.",
            'The category {old} shall be called "{new}".',
        ),
        sample_params=_sample_category_name,
        solve=_rename_category,
        apply_expected=_apply_category_name,
        milestones=(("list", visited_page("wordpress:page:edit-tags")), FINISHED),
    ),
    Template(
        name="delete_category",
        skills=("menu",),
        oracle_steps=6,
        phrasings=(
            "Delete the category {old} of {site}. Its posts stay.",
            "{site} no longer needs the category {old}: delete it, but none of its posts.",
        ),
        sample_params=_sample_old_category,
        solve=_delete_category,
        apply_expected=_apply_old_category,
        milestones=(("list", visited_page("wordpress:page:edit-tags")), FINISHED),
    ),
    Template(
        name="add_user",
        skills=("form", "multi-step"),
        oracle_steps=9,
        phrasings=(
            "Add {who} to the users of the site: user name {login}, mail {email}, role {role}. "
            "First and last name belong into their fields.",
            "Make a new user {login} with the role {role}. The mail address is {email}, the first "
            "and last name {who}.",
        ),
        sample_params=_sample_newcomer,
        solve=_add_user,
        apply_expected=_apply_newcomer,
        milestones=(("form", visited_page("wordpress:page:user-new")), FINISHED),
    ),
    Template(
        name="change_role",
        skills=("search", "menu"),
        oracle_steps=6,
        phrasings=(
            "{who} shall have the role {new} on the site instead of {old}.",
            "Change the role of the user {login} to {new}.",
        ),
        sample_params=_sample_role,
        solve=_change_role,
        apply_expected=_apply_role,
        milestones=(("list", visited_page("wordpress:page:users")), FINISHED),
    ),
    Template(
        name="change_email",
        skills=("search", "form"),
        oracle_steps=7,
        phrasings=(
            "The mail address of {who} is {new} now. Correct it in the user's profile.",
            "Set the mail address of the user {login} to {new}.",
        ),
        sample_params=_sample_email,
        solve=_change_email,
        apply_expected=_apply_email,
        milestones=(("list", visited_page("wordpress:page:users")), FINISHED),
    ),
    Template(
        name="set_tagline",
        skills=("form", "menu"),
        oracle_steps=3,
        phrasings=(
            'Set the tagline of the site to "{tagline}".',
            "The site's tagline shall be: {tagline}",
        ),
        sample_params=_sample_tagline,
        solve=_set_tagline,
        apply_expected=_set_option("blogdescription", "{tagline}"),
        milestones=(("settings", visited_page("wordpress:page:options-general")), FINISHED),
    ),
    Template(
        name="set_page_length",
        skills=("form", "menu"),
        oracle_steps=4,
        phrasings=(
            "Let blog pages of {site} show at most {number} posts.",
            "A page of the blog of {site} is too long or too short: it shall show {number} posts.",
        ),
        sample_params=_sample_number,
        solve=_set_number,
        apply_expected=_set_option("posts_per_page", "{number}"),
        milestones=(("settings", visited_page("wordpress:page:options-reading")), FINISHED),
    ),
    Template(
        name="moderate_comments",
        skills=("form", "menu"),
        oracle_steps=5,
        phrasings=(
            "From now on, each comment on the site of {site} must be approved by hand.",
            "Set the site of {site} so that every comment must be manually approved.",
        ),
        sample_params=_sample_site,
        solve=_moderate,
        apply_expected=_set_option("comment_moderation", "1"),
        milestones=(("settings", visited_page("wordpress:page:options-discussion")), FINISHED),
    ),
)
