"""The site's canonical state: of a world, and as WordPress's database has it.

Left out are numbers, drafts that WordPress makes by itself, and days of changes. A draft of the
start has no day: published, it gets the present one or keeps its own (`baseline.Baseline`). What no
task asks for has its place in "besides", and is named there once it changed.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

from envs.gyms.apps.wordpress.baseline import (
    Baseline,
    is_new_user,
    list_changes,
    open_database,
    read_baseline,
)
from envs.gyms.apps.wordpress.content import DEFAULT_CATEGORY, NOW_TEXT, Post, Site, slug_of
from envs.gyms.kit.company import Company, Person
from envs.gyms.real.logins import login_of
from envs.gyms.real.rows import fold_text, name_uniquely
from envs.gyms.server.gym import State

SETTINGS: dict[str, str] = {
    "blogdescription": "",
    "users_can_register": "0",
    "default_role": "subscriber",
    "start_of_week": "1",
    "posts_per_page": "10",
    "posts_per_rss": "10",
    "blog_public": "1",
    "show_on_front": "posts",
    "default_comment_status": "open",
    "default_ping_status": "open",
    "comment_registration": "0",
    "close_comments_for_old_posts": "0",
    "comment_moderation": "0",
    "comment_previously_approved": "1",
    "thread_comments": "1",
    "comment_order": "asc",
    "comments_notify": "1",
    "moderation_notify": "1",
    "permalink_structure": "",
    "admin_email": "",
    "new_admin_email": "",
    "default_post_format": "0",
    "timezone_string": "",
    "gmt_offset": "0",
}
"""Options that a verdict looks at, and what they are where the world does not say otherwise."""
_POSTS = """
    SELECT wp_posts.ID, post_title, post_content, post_excerpt, post_status, post_type,
           post_password, post_parent, comment_status, ping_status, to_ping, menu_order, post_name,
           post_date, post_date_gmt, display_name
    FROM wp_posts LEFT JOIN wp_users ON wp_users.ID = post_author
    WHERE post_type IN ('post', 'page') AND post_status != 'auto-draft' ORDER BY wp_posts.ID
"""
_TERMS_OF_POSTS = """
    SELECT object_id, taxonomy, name FROM wp_term_relationships
    JOIN wp_term_taxonomy USING (term_taxonomy_id) JOIN wp_terms USING (term_id)
    WHERE taxonomy IN ('category', 'post_tag', 'post_format') ORDER BY name
"""
_TERMS = """
    SELECT terms.name, terms.slug, description, above.name FROM wp_term_taxonomy AS taxa
    JOIN wp_terms AS terms ON terms.term_id = taxa.term_id
    LEFT JOIN wp_terms AS above ON above.term_id = taxa.parent
    WHERE taxonomy = ? ORDER BY taxa.term_id
"""
_FIELDS = """
    SELECT post_id, meta_key, meta_value FROM wp_postmeta
    WHERE meta_value NOT IN ('', 'default') AND (
        meta_key NOT LIKE '\\_%' ESCAPE '\\' OR meta_key IN ('_thumbnail_id', '_wp_page_template')
    )
"""
_COMMENTS = """
    SELECT comment_author, comment_author_email, comment_author_url, comment_content,
           comment_approved, comment_date, comment_post_ID, comment_parent, comment_ID
    FROM wp_comments ORDER BY comment_ID
"""
_USERS = """
    SELECT user_login, display_name, user_email, user_url, wp_users.ID FROM wp_users ORDER BY ID
"""
PROFILE = {"first": "first_name", "last": "last_name", "nickname": "nickname", "bio": "description"}
"""Where WordPress keeps more of what the page of a user shows."""
_PARAGRAPH = re.compile(
    r"<!-- wp:paragraph -->\s*(?:<p>)?(.*?)(?:</p>)?\s*<!-- /wp:paragraph -->", re.DOTALL
)
"""As the dashboard writes the text of a quick draft."""


def make_state(world: Company, site: Site) -> State:
    """The state of a site."""
    people = {world.user.name: (world.user, "administrator")}
    people |= {person.name: (person, site.roles[person.name]) for person in site.staff}
    return {
        "posts": {post.title: _make_post(post) for post in site.posts},
        "categories": {
            name: {"slug": slug_of(name), "description": description, "parent": ""}
            for name, description in {DEFAULT_CATEGORY: "", **site.categories}.items()
        },
        "tags": {tag: make_tag(tag) for post in site.posts for tag in post.tags},
        "comments": {
            f"{comment.author} on {comment.post}": {
                "email": comment.email,
                "url": "",
                "text": comment.text,
                "status": comment.status,
                "date": comment.at,
                "to": "",
            }
            for comment in site.comments
        },
        "users": {login_of(person): make_user(person, role) for person, role in people.values()},
        "settings": SETTINGS | make_settings(world, site),
        "besides": {},
    }


def _make_post(post: Post) -> dict[str, Any]:
    return {
        "kind": post.kind,
        "status": post.status,
        "text": post.text,
        "excerpt": "",
        "author": post.author,
        "password": "",
        "parent": post.parent,
        "comments": post.comments,
        "pings": "open" if post.kind == "post" else "closed",
        "trackbacks": "",
        "order": 0,
        "slug": slug_of(post.title),
        "date": "" if post.status == "draft" else post.at,
        "sticky": post.sticky,
        "categories": list(post.categories),
        "tags": list(post.tags),
        "format": [],
        "fields": {},
    }


def make_tag(name: str) -> dict[str, str]:
    """A tag as a post makes it."""
    return {"slug": slug_of(name), "description": "", "parent": ""}


def make_user(person: Person, role: str) -> dict[str, str]:
    """A user with nothing but name, address and role."""
    first, last = person.name.split(" ", 1)
    return {
        "name": person.name,
        "email": person.email,
        "url": "",
        "role": role,
        "first": first,
        "last": last,
        "nickname": login_of(person),
        "bio": "",
    }


def make_settings(world: Company, site: Site) -> dict[str, str]:
    """Options of this world's site."""
    office = f"office@{world.domain}"
    return {
        "blogname": world.name,
        "blogdescription": site.tagline,
        "admin_email": office,
        "new_admin_email": office,
    }


def read_state(folder: Path) -> State:
    """The state in the database of a copy."""
    baseline = read_baseline(folder)
    with open_database(folder) as database:
        options = dict(database.execute("SELECT option_name, option_value FROM wp_options"))
        rows = _read_rows(database, _POSTS)
        titles = name_uniquely((row["ID"], row["post_title"]) for row in rows)
        posts = _read_posts(database, rows, titles, baseline.draft_days)
        for key in _list_numbers(options.get("sticky_posts", "")):
            if key in titles:
                posts[titles[key]]["sticky"] = True
        return {
            "posts": posts,
            "categories": _read_terms(database, "category"),
            "tags": _read_terms(database, "post_tag"),
            "comments": _read_comments(database, titles),
            "users": _read_users(database, baseline),
            "settings": {
                name: _read_option(name, options) for name in ("blogname", *sorted(SETTINGS))
            },
            "besides": list_changes(database, baseline),
        }


def _read_rows(database: sqlite3.Connection, query: str) -> list[sqlite3.Row]:
    cursor = database.cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(query).fetchall()


def _list_numbers(text: str) -> list[int]:
    """The values of PHP's serialisation of a list of numbers, such as a:2:{i:0;i:17;i:1;i:18;}."""
    return [int(number) for number in re.findall(r"i:\d+;i:(\d+);", text)]


def _read_posts(
    database: sqlite3.Connection,
    rows: list[sqlite3.Row],
    titles: dict[int, str],
    draft_days: dict[str, str],
) -> dict[str, Any]:
    terms: dict[tuple[int, str], list[str]] = {}
    for post, taxonomy, name in database.execute(_TERMS_OF_POSTS):
        terms.setdefault((post, taxonomy), []).append(name)
    fields: dict[int, dict[str, str]] = {}
    for post, name, value in database.execute(_FIELDS):
        fields.setdefault(post, {})[name] = value
    return {
        titles[row["ID"]]: {
            "kind": row["post_type"],
            "status": row["post_status"],
            "text": fold_text(_PARAGRAPH.sub(r"\1", row["post_content"])),
            "excerpt": fold_text(row["post_excerpt"]),
            "author": row["display_name"] or "",
            "password": row["post_password"],
            "parent": titles.get(row["post_parent"], ""),
            "comments": row["comment_status"],
            "pings": row["ping_status"],
            "trackbacks": row["to_ping"].strip(),
            "order": row["menu_order"],
            # WordPress makes the one of a draft when it is published.
            "slug": row["post_name"].removesuffix("__trashed") or slug_of(row["post_title"]),
            "date": _read_day(row, draft_days),
            "sticky": False,
            "categories": terms.get((row["ID"], "category"), []),
            "tags": terms.get((row["ID"], "post_tag"), []),
            "format": terms.get((row["ID"], "post_format"), []),
            "fields": fields.get(row["ID"], {}),
        }
        for row in rows
    }


def _read_day(row: sqlite3.Row, draft_days: dict[str, str]) -> str:
    """Nothing for one that nobody has set."""
    day, draft_day = row["post_date"], draft_days.get(str(row["ID"]))
    if row["post_date_gmt"].startswith("0000"):
        return ""
    # The list gives a draft that is edited there the day on which it was made.
    is_draft = row["post_status"] in ("draft", "pending")
    free_days = {draft_day, NOW_TEXT} if draft_day or is_draft else set()
    return "" if day in free_days else day


def _read_terms(database: sqlite3.Connection, taxonomy: str) -> dict[str, Any]:
    return {
        name: {"slug": slug, "description": description, "parent": parent or ""}
        for name, slug, description, parent in database.execute(_TERMS, (taxonomy,))
    }


def _read_comments(database: sqlite3.Connection, titles: dict[int, str]) -> dict[str, Any]:
    rows = _read_rows(database, _COMMENTS)
    names = name_uniquely(
        (
            row["comment_ID"],
            f"{row['comment_author']} on {titles.get(row['comment_post_ID'], '')}",
        )
        for row in rows
    )
    return {
        names[row["comment_ID"]]: {
            "email": row["comment_author_email"],
            "url": row["comment_author_url"],
            "text": fold_text(row["comment_content"]),
            # A comment of a post in the trash waits there with it.
            "status": row["comment_approved"],
            "date": row["comment_date"],
            "to": names.get(row["comment_parent"], ""),
        }
        for row in rows
    }


def _read_option(name: str, options: dict[str, str]) -> str:
    # A form saves a box that is not ticked as nothing, the installer as 0.
    return str(options.get(name, "")) or ("0" if SETTINGS.get(name) in ("0", "1") else "")


def _read_users(database: sqlite3.Connection, baseline: Baseline) -> dict[str, Any]:
    kept: dict[int, dict[str, str]] = {}
    query = "SELECT user_id, meta_key, meta_value FROM wp_usermeta"
    for key, kind, value in database.execute(query):
        kept.setdefault(key, {})[kind] = str(value)
    users = {
        login: {
            "name": name,
            "email": email,
            "url": url,
            # PHP's serialisation of a map: a:1:{s:6:"editor";b:1;}
            "role": "+".join(kept.get(key, {}).get("wp_capabilities", "").split('"')[1::2]),
            **{field: kept.get(key, {}).get(kind, "") for field, kind in PROFILE.items()},
        }
        for login, name, email, url, key in database.execute(_USERS)
    }
    for login, user in users.items():
        # Names that are entered once the user is made leave the name that is shown as it is.
        if user["name"] == login and is_new_user(login, baseline):
            user["name"] = f"{user['first']} {user['last']}".strip() or login
    return users
