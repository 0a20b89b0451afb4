"""Tasks on posts and pages."""

from __future__ import annotations

import random
from typing import Any

from envs.contract.actions import Scroll, Type
from envs.gyms.apps.wordpress.content import (
    CATEGORIES,
    DEFAULT_CATEGORY,
    NOW_TEXT,
    TAGS,
    TEXTS,
    slug_of,
)
from envs.gyms.apps.wordpress.oracle_moves import (
    TEXT,
    TITLE,
    apply_to,
    choose,
    open_list,
    open_post,
    search_list,
    tick,
    update,
)
from envs.gyms.apps.wordpress.post_search import search_that_meets
from envs.gyms.apps.wordpress.sampling import choose_post, part_of, site_of
from envs.gyms.apps.wordpress.state import make_tag
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import CITIES
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.real.searches import search_of
from envs.gyms.server.gym import OracleLost, OracleMove, State
from envs.gyms.server.view import Page

SEARCHED = ("searched", search_of("wordpress:search", "title"))
SAW_NO_DRAFT = search_that_meets("wordpress:drafts", "firm")
PAGES = ("Contact", "Jobs")


def _make_post(world: Company, title: str, text: str, **changes: Any) -> dict[str, Any]:
    """A post as the editor makes it."""
    post = {
        "kind": "post",
        "status": "draft",
        "text": text,
        "excerpt": "",
        "author": world.user.name,
        "password": "",
        "parent": "",
        "comments": "open",
        "pings": "open",
        "trackbacks": "",
        "order": 0,
        "slug": slug_of(title),
        "date": "",
        "sticky": False,
        "categories": [DEFAULT_CATEGORY],
        "tags": [],
        "format": [],
        "fields": {},
    }
    return post | changes


def _sample_draft(world: Company, rng: random.Random, state: State) -> Params:
    return {"title": rng.choice(site_of(world).titles("draft"))}


def _apply_publishing(world: Company, p: Params, state: State) -> None:
    part_of(state, "posts")[p["title"]]["status"] = "publish"


def _publish(page: Page, p: Params) -> Script:
    page = yield from open_post(page, p["title"])
    yield from navigation.click(page, "it is ready", "Publish")
    return None


def _sample_published(world: Company, rng: random.Random, state: State) -> Params:
    return {"title": choose_post(world, rng)}


def _apply_trash(world: Company, p: Params, state: State) -> None:
    part_of(state, "posts")[p["title"]]["status"] = "trash"


def _trash(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts")
    page = yield from search_list(page, p["title"])
    yield from apply_to(page, f"Select {p['title']}", "Move to Trash")
    return None


def _sample_trashed(world: Company, rng: random.Random, state: State) -> Params:
    return {"title": rng.choice(site_of(world).titles("trash"))}


def _apply_restoring(world: Company, p: Params, state: State) -> None:
    part_of(state, "posts")[p["title"]]["status"] = "draft"


def _restore(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts", "Trash (")
    yield from apply_to(page, f"Select {p['title']}", "Restore")
    return None


def _apply_deletion(world: Company, p: Params, state: State) -> None:
    del part_of(state, "posts")[p["title"]]


def _delete(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts", "Trash (")
    yield from apply_to(page, f"Select {p['title']}", "Delete permanently")
    return None


def _sample_title(world: Company, rng: random.Random, state: State) -> Params:
    title = choose_post(world, rng)
    return {"title": title, "new": f"{title}: {rng.choice(('an update', 'the whole story'))}"}


def _apply_title(world: Company, p: Params, state: State) -> None:
    posts = part_of(state, "posts")
    posts[p["new"]] = posts.pop(p["title"])


def _rename(page: Page, p: Params) -> Script:
    page = yield from open_post(page, p["title"])
    page = yield from navigation.fill_fields(page, {TITLE: p["new"]})
    yield from update(page)
    return None


def _sample_text(world: Company, rng: random.Random, state: State) -> Params:
    title = choose_post(world, rng)
    old = site_of(world).post(title).text
    return {"title": title, "text": rng.choice([text for text in TEXTS if text != old])}


def _apply_text(world: Company, p: Params, state: State) -> None:
    part_of(state, "posts")[p["title"]]["text"] = p["text"]


def _rewrite(page: Page, p: Params) -> Script:
    page = yield from open_post(page, p["title"])
    page = yield from navigation.fill_fields(page, {TEXT: p["text"]})
    yield from update(page)
    return None


def _sample_new(world: Company, rng: random.Random, state: State) -> Params:
    firm = rng.choice(site_of(world).unnamed)
    return {"new": f"{firm.name} comes to {rng.choice(CITIES)}", "text": rng.choice(TEXTS)}


def _apply_new_draft(world: Company, p: Params, state: State) -> None:
    part_of(state, "posts")[p["new"]] = _make_post(world, p["new"], p["text"])


def _write_draft(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts", "Add New")
    page = yield from navigation.fill_fields(page, {TITLE: p["new"], TEXT: p["text"]})
    yield from navigation.click(page, "a draft for now", "Save Draft")
    return None


def _sample_category(world: Company, rng: random.Random, state: State) -> Params:
    title = choose_post(world, rng)
    old = site_of(world).post(title).categories[0]
    new = rng.choice([name for name in CATEGORIES if name != old])
    return {"title": title, "old": old, "new": new}


def _apply_category(world: Company, p: Params, state: State) -> None:
    part_of(state, "posts")[p["title"]]["categories"] = [p["new"]]


def _move(page: Page, p: Params) -> Script:
    page = yield from open_post(page, p["title"])
    page = yield from tick(page, p["old"])
    page = yield from tick(page, p["new"])
    yield from _click_above(page, "Update")
    return None


def _click_above(page: Page, button: str) -> navigation.Moves:
    """The button that saves stands above what was changed."""
    for _ in range(navigation.MAX_SCROLLS):
        if page.find("button", button):
            break
        page = yield OracleMove("back up", Scroll(dy=-1, unit="page"))
    return (yield from navigation.click(page, "keep it", button))


def _sample_tag(world: Company, rng: random.Random, state: State) -> Params:
    title = choose_post(world, rng)
    has = site_of(world).post(title).tags
    return {"title": title, "tag": rng.choice([tag for tag in TAGS if tag not in has])}


def _apply_tag(world: Company, p: Params, state: State) -> None:
    tags = part_of(state, "posts")[p["title"]]["tags"]
    tags[:] = sorted([*tags, p["tag"]])
    part_of(state, "tags").setdefault(p["tag"], make_tag(p["tag"]))


def _add_tag(page: Page, p: Params) -> Script:
    page = yield from open_post(page, p["title"])
    page, line = yield from navigation.scroll_to(page, "box", "Add New Tag")
    move = Type(target=page.target(line), text=p["tag"], submit=True)
    page = yield OracleMove(f"one more: {p['tag']}", move)
    yield from _click_above(page, "Update")
    return None


def _apply_sticking(world: Company, p: Params, state: State) -> None:
    part_of(state, "posts")[p["title"]]["sticky"] = True


def _stick(page: Page, p: Params) -> Script:
    page = yield from open_post(page, p["title"])
    page = yield from navigation.click(page, "who sees it, and where", "Edit Edit visibility")
    page = yield from tick(page, "Stick this post to the front page")
    page = yield from _accept(page)
    yield from update(page)
    return None


def _accept(page: Page) -> navigation.Moves:
    role = "button" if page.find("button", "OK") else "link"
    return (yield from navigation.click(page, "that is it", "OK", role=role))


def _apply_hiding(world: Company, p: Params, state: State) -> None:
    part_of(state, "posts")[p["title"]]["status"] = "private"


def _hide(page: Page, p: Params) -> Script:
    page = yield from open_post(page, p["title"])
    page = yield from navigation.click(page, "who sees it", "Edit Edit visibility")
    page = yield from navigation.click(page, "nobody outside", "Private", role="radio")
    page = yield from _accept(page)
    yield from update(page)
    return None


def _sample_page(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(site_of(world).staff)
    return {"new": f"Our office in {person.city}", "text": f"Ask for {person.name}."}


def _apply_page(world: Company, p: Params, state: State) -> None:
    changes = {"kind": "page", "status": "publish", "parent": "About us", "date": NOW_TEXT}
    changes |= {"comments": "closed", "pings": "closed"}
    post = _make_post(world, p["new"], p["text"], **changes, categories=[])
    part_of(state, "posts")[p["new"]] = post


def _make_page(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Pages", "Add New")
    page = yield from navigation.fill_fields(page, {TITLE: p["new"], TEXT: p["text"]})
    page = yield from choose(page, "Parent", "About us")
    yield from _click_above(page, "Publish")
    return None


def _sample_missing(world: Company, rng: random.Random, state: State) -> Params:
    return {"firm": rng.choice(site_of(world).unnamed).name}


def _look_for_missing(page: Page, p: Params) -> Script:
    page = yield from open_list(page, "Posts")
    page = yield from search_list(page, p["firm"])
    if "No posts found." not in [line.name for line in page.lines]:
        raise OracleLost(f"there are posts on {p['firm']}")
    raise GiveUp(f"the site has no post on {p['firm']}")
    yield


POSTS = (
    Template(
        name="publish_draft",
        skills=("search", "form"),
        oracle_steps=4,
        phrasings=(
            'The draft "{title}" is ready: publish it.',
            "Publish the post {title}, which is a draft.",
        ),
        sample_params=_sample_draft,
        solve=_publish,
        apply_expected=_apply_publishing,
        milestones=(SEARCHED, FINISHED),
    ),
    Template(
        name="trash_post",
        skills=("search", "menu"),
        oracle_steps=5,
        phrasings=(
            'Move the post "{title}" to the trash.',
            "Nobody should read {title} any more. Put this post into the trash.",
        ),
        sample_params=_sample_published,
        solve=_trash,
        apply_expected=_apply_trash,
        milestones=(SEARCHED, FINISHED),
    ),
    Template(
        name="restore_post",
        skills=("recover", "menu"),
        oracle_steps=6,
        phrasings=(
            'Take the post "{title}" out of the trash.',
            "{title} was put into the trash by mistake. Restore it.",
        ),
        sample_params=_sample_trashed,
        solve=_restore,
        apply_expected=_apply_restoring,
        milestones=(FINISHED,),
    ),
    Template(
        name="delete_post",
        skills=("menu",),
        oracle_steps=6,
        phrasings=(
            'Delete the post "{title}", which is in the trash, permanently. Keep the others.',
            "In the trash of the site, delete {title} for good, and only that.",
        ),
        sample_params=_sample_trashed,
        solve=_delete,
        apply_expected=_apply_deletion,
        milestones=(FINISHED,),
    ),
    Template(
        name="rename_post",
        skills=("search", "form"),
        oracle_steps=5,
        phrasings=(
            'Change the title of the post "{title}" to "{new}".',
            "The post {title} shall be called: {new}",
        ),
        sample_params=_sample_title,
        solve=_rename,
        apply_expected=_apply_title,
        milestones=(SEARCHED, FINISHED),
    ),
    Template(
        name="rewrite_post",
        skills=("search", "form"),
        oracle_steps=5,
        phrasings=(
            'Replace the text of the post "{title}" with: {text}',
            'What the post {title} says is wrong. It shall say only: "{text}"',
        ),
        sample_params=_sample_text,
        solve=_rewrite,
        apply_expected=_apply_text,
        milestones=(SEARCHED, FINISHED),
    ),
    Template(
        name="write_draft",
        skills=("form", "multi-step"),
        oracle_steps=5,
        phrasings=(
            'Write a post "{new}" that says: {text} Leave it as a draft.',
            'Save a draft of a new post. Title: {new}. Text: "{text}"',
        ),
        sample_params=_sample_new,
        solve=_write_draft,
        apply_expected=_apply_new_draft,
        milestones=(("editor", visited_page("wordpress:page:post-new")), FINISHED),
    ),
    Template(
        name="move_category",
        skills=("search", "form", "multi-step"),
        oracle_steps=9,
        phrasings=(
            'Put the post "{title}" into the category {new} instead of {old}.',
            "The post {title} belongs to the category {new}, no longer to {old}.",
        ),
        sample_params=_sample_category,
        solve=_move,
        apply_expected=_apply_category,
        milestones=(SEARCHED, FINISHED),
    ),
    Template(
        name="add_tag",
        skills=("search", "form", "multi-step"),
        oracle_steps=9,
        phrasings=(
            'Give the post "{title}" the tag {tag} as well.',
            "Add the tag {tag} to those of the post {title}.",
        ),
        sample_params=_sample_tag,
        solve=_add_tag,
        apply_expected=_apply_tag,
        milestones=(SEARCHED, FINISHED),
    ),
    Template(
        name="stick_post",
        skills=("search", "form", "multi-step"),
        oracle_steps=7,
        phrasings=(
            'Make the post "{title}" stick to the front page.',
            "The post {title} shall stay at the top of the front page: make it sticky.",
        ),
        sample_params=_sample_published,
        solve=_stick,
        apply_expected=_apply_sticking,
        milestones=(SEARCHED, FINISHED),
    ),
    Template(
        name="hide_post",
        skills=("search", "form", "multi-step"),
        oracle_steps=7,
        phrasings=(
            'Set the visibility of the post "{title}" to private.',
            "Only those who work on the site may see the post {title}: make it private.",
        ),
        sample_params=_sample_published,
        solve=_hide,
        apply_expected=_apply_hiding,
        milestones=(SEARCHED, FINISHED),
    ),
    Template(
        name="make_page",
        skills=("form", "multi-step"),
        oracle_steps=8,
        phrasings=(
            'Publish a new page "{new}" below About us. It says: {text}',
            'Make a page {new} that says "{text}", with About us as its parent, and publish it.',
        ),
        sample_params=_sample_page,
        solve=_make_page,
        apply_expected=_apply_page,
        milestones=(("editor", visited_page("wordpress:page:post-new")), FINISHED),
    ),
    Template(
        name="missing_post",
        skills=("search", "refuse"),
        oracle_steps=2,
        phrasings=(
            "Publish the draft about {firm}.",
            "Move the draft about {firm} to the trash.",
        ),
        sample_params=_sample_missing,
        solve=_look_for_missing,
        infeasible=True,
        has_met_refusal=SAW_NO_DRAFT,
        milestones=(("searched", SAW_NO_DRAFT), FINISHED),
    ),
)
