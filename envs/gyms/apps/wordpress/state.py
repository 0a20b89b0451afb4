"""The site's canonical state: of a world, and as WordPress's database has it.

Left out are numbers, dates, addresses made from titles, drafts that WordPress makes by itself, and
settings that no page of the administration shows by these names.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from envs.gyms.apps.wordpress.content import DEFAULT_CATEGORY, Site
from envs.gyms.kit.company import Company
from envs.gyms.real.logins import login_of
from envs.gyms.real.rows import fold_text, name_uniquely
from envs.gyms.server.gym import State

DATABASE = "wordpress.sqlite"
BUSY_S = 5.0
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
           post_password, post_parent, comment_status, menu_order, display_name
    FROM wp_posts LEFT JOIN wp_users ON wp_users.ID = post_author
    WHERE post_type IN ('post', 'page') AND post_status != 'auto-draft' ORDER BY wp_posts.ID
"""
_TERMS = """
    SELECT object_id, taxonomy, name FROM wp_term_relationships
    JOIN wp_term_taxonomy USING (term_taxonomy_id) JOIN wp_terms USING (term_id)
    WHERE taxonomy IN ('category', 'post_tag') ORDER BY name
"""
_CATEGORIES = """
    SELECT terms.name, description, above.name FROM wp_term_taxonomy AS taxa
    JOIN wp_terms AS terms ON terms.term_id = taxa.term_id
    LEFT JOIN wp_terms AS above ON above.term_id = taxa.parent
    WHERE taxonomy = 'category' ORDER BY taxa.term_id
"""
_COMMENTS = """
    SELECT comment_author, comment_author_email, comment_content, comment_approved, comment_post_ID,
           comment_parent, comment_ID FROM wp_comments ORDER BY comment_ID
"""
_USERS = """
    SELECT user_login, display_name, user_email, user_url, wp_users.ID FROM wp_users ORDER BY ID
"""


def make_state(world: Company, site: Site) -> State:
    """The state of a site."""
    people = {world.user.name: (world.user, "administrator")}
    people |= {person.name: (person, site.roles[person.name]) for person in site.staff}
    return {
        "posts": {
            post.title: {
                "kind": post.kind,
                "status": post.status,
                "text": post.text,
                "excerpt": "",
                "author": post.author,
                "password": "",
                "parent": post.parent,
                "comments": post.comments,
                "order": 0,
                "sticky": post.sticky,
                "categories": list(post.categories),
                "tags": list(post.tags),
            }
            for post in site.posts
        },
        "categories": {DEFAULT_CATEGORY: {"description": "", "parent": ""}}
        | {
            name: {"description": description, "parent": ""}
            for name, description in site.categories.items()
        },
        "comments": {
            f"{comment.author} on {comment.post}": {
                "email": comment.email,
                "text": comment.text,
                "status": comment.status,
                "to": "",
            }
            for comment in site.comments
        },
        "users": {
            login_of(person): {
                "name": person.name,
                "email": person.email,
                "url": "",
                "role": role,
            }
            for person, role in people.values()
        },
        "settings": SETTINGS | make_settings(world, site),
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
    address = f"file:{folder / DATABASE}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=BUSY_S)) as database:
        options = dict(database.execute("SELECT option_name, option_value FROM wp_options"))
        rows = list(database.execute(_POSTS))
        titles = name_uniquely((row[0], row[1]) for row in rows)
        return {
            "posts": _read_posts(database, rows, titles, options.get("sticky_posts", "")),
            "categories": {
                name: {"description": description, "parent": parent or ""}
                for name, description, parent in database.execute(_CATEGORIES)
            },
            "comments": _read_comments(database, titles),
            "users": _read_users(database),
            "settings": {
                name: _read_option(name, options) for name in ("blogname", *sorted(SETTINGS))
            },
        }


def _read_posts(
    database: sqlite3.Connection, rows: list[Any], titles: dict[int, str], sticky: str
) -> dict[str, Any]:
    terms: dict[tuple[int, str], list[str]] = {}
    for post, taxonomy, name in database.execute(_TERMS):
        terms.setdefault((post, taxonomy), []).append(name)
    return {
        titles[key]: {
            "kind": kind,
            "status": status,
            "text": fold_text(text),
            "excerpt": fold_text(excerpt),
            "author": author or "",
            "password": password,
            "parent": titles.get(parent, ""),
            "comments": comments,
            "order": order,
            # PHP's serialisation of a list of numbers: i:0;i:17;
            "sticky": f"i:{key};}}" in sticky or f"i:{key};i:" in sticky,
            "categories": terms.get((key, "category"), []),
            "tags": terms.get((key, "post_tag"), []),
        }
        for (
            *(key, _, text, excerpt, status, kind, password, parent, comments, order, author),
        ) in rows
    }


def _read_comments(database: sqlite3.Connection, titles: dict[int, str]) -> dict[str, Any]:
    rows = list(database.execute(_COMMENTS))
    names = name_uniquely((row[6], f"{row[0]} on {titles.get(row[4], '')}") for row in rows)
    return {
        names[key]: {
            "email": email,
            "text": fold_text(text),
            # A comment of a post in the trash waits there with it.
            "status": status,
            "to": names.get(parent, ""),
        }
        for _, email, text, status, _, parent, key in rows
    }


def _read_option(name: str, options: dict[str, str]) -> str:
    # A form saves a box that is not ticked as nothing, the installer as 0.
    return str(options.get(name, "")) or ("0" if SETTINGS.get(name) in ("0", "1") else "")


def _read_users(database: sqlite3.Connection) -> dict[str, Any]:
    roles = dict(
        database.execute(
            "SELECT user_id, meta_value FROM wp_usermeta WHERE meta_key = 'wp_capabilities'"
        )
    )
    return {
        login: {
            "name": name,
            "email": email,
            "url": url,
            # PHP's serialisation of a map: a:1:{s:6:"editor";b:1;}
            "role": "+".join(str(roles.get(key, "")).split('"')[1::2]),
        }
        for login, name, email, url, key in database.execute(_USERS)
    }
