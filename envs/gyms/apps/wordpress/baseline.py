"""What no task asks for, as it was at the start: passwords, profiles, looks, menus, files.

A new site's facts are written beside its database, and with every copy of it comes this file. What
WordPress itself writes without being asked, such as how a user has arranged a page, is no fact.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import orjson

DATABASE = "wordpress.sqlite"
BUSY_S = 5.0
BASELINE_FILE = "baseline.json"
OPTIONS = frozenset(
    {
        # settings: general, writing, reading, discussion, media, addresses, privacy
        *("date_format", "time_format", "WPLANG", "default_category", "default_email_category"),
        *("ping_sites", "mailserver_url", "mailserver_port", "mailserver_login"),
        *("mailserver_pass", "rss_use_excerpt", "page_on_front"),
        *("page_for_posts", "default_pingback_flag", "require_name_email", "comment_max_links"),
        *("moderation_keys", "disallowed_keys", "avatar_rating", "avatar_default"),
        *("close_comments_days_old", "thread_comments_depth", "page_comments"),
        *("comments_per_page", "default_comments_page", "show_comments_cookies_opt_in"),
        *("thumbnail_size_w", "thumbnail_size_h", "thumbnail_crop", "medium_size_w"),
        *("medium_size_h", "large_size_w", "large_size_h", "uploads_use_yearmonth_folders"),
        *("category_base", "tag_base", "wp_page_for_privacy_policy"),
        # looks and plugins
        *("template", "stylesheet", "active_plugins", "site_icon", "sidebars_widgets"),
    }
)
"""Options that pages of the administration set, besides those of the state itself."""
OPTION_GROUPS = ("theme_mods_", "widget_")
"""How the names of more of them begin."""
PROFILE = frozenset(
    {
        *("rich_editing", "syntax_highlighting", "comment_shortcuts", "admin_color"),
        *("show_admin_bar_front", "locale", "_new_email", "_application_passwords"),
    }
)
"""What the page of a user sets, besides what the state has."""
CONTENT = (
    *("attachment", "nav_menu_item", "wp_block", "custom_css", "user_request"),
    "customize_changeset",
)
"""Kinds of posts that a page of the administration makes, besides posts and pages."""
UNSAVED = {"nav_menu_item": "draft"}
"""Status of what was made on the way to something that nobody saved."""
TERMS = ("nav_menu", "link_category")
"""Kinds of terms besides those of the state."""
_UNSET = frozenset({"", "0", "false", "a:0:{}"})
"""A form saves a box that is not ticked in several ways."""
_MADE_BY_LOOKING = re.compile(
    r's:18:"custom_css_post_id";i:-1;|s:12:"_multiwidget";i:1;|i:\d+;a:0:\{\}|^a:\d+:'
)
"""Parts of an option that WordPress writes when its page is opened."""
_PLACE = re.compile(r's:\d+:"([\w-]+)"')


class Baseline(NamedTuple):
    """`draft_days`: of each draft, by its number."""

    facts: dict[str, str]
    draft_days: dict[str, str]


def open_database(folder: Path) -> closing[sqlite3.Connection]:
    """The database of a copy, to read."""
    address = f"file:{folder / DATABASE}?mode=ro"
    return closing(sqlite3.connect(address, uri=True, timeout=BUSY_S))


def write_baseline(folder: Path) -> None:
    """Keeps what is so at the start of a new site."""
    with open_database(folder) as database:
        days = dict(
            database.execute("SELECT ID, post_date FROM wp_posts WHERE post_status = 'draft'")
        )
        baseline = Baseline(
            facts=_read_facts(database),
            draft_days={str(key): str(day) for key, day in days.items()},
        )
    (folder / BASELINE_FILE).write_bytes(orjson.dumps(baseline._asdict()))


def read_baseline(folder: Path) -> Baseline:
    """Of a copy."""
    return Baseline(**orjson.loads((folder / BASELINE_FILE).read_bytes()))


def is_new_user(login: str, baseline: Baseline) -> bool:
    """Whether somebody was no user at the start."""
    return f"user {login}: password" not in baseline.facts


def list_changes(database: sqlite3.Connection, baseline: Baseline) -> dict[str, str]:
    """Facts that are not as they were at the start. What a new user has is no change."""
    now, before = _read_facts(database), baseline.facts
    owners = {_owner_of(name) for name in before}
    return {
        name: "new" if name not in before else "changed" if name in now else "gone"
        for name in sorted(now.keys() | before.keys())
        if now.get(name) != before.get(name) and _owner_of(name) in {"", *owners}
    }


def _owner_of(name: str) -> str:
    """The user whose fact it is."""
    return name.partition(":")[0] if name.startswith("user ") else ""


def _read_facts(database: sqlite3.Connection) -> dict[str, str]:
    """By name; what is not set is none."""
    facts: dict[str, str] = {}
    for name, value in database.execute("SELECT option_name, option_value FROM wp_options"):
        if name in OPTIONS or name.startswith(OPTION_GROUPS):
            facts[f"option {name}"] = _fold_option(name, str(value))
    for login, password, key in database.execute(
        "SELECT user_login, user_pass, user_activation_key FROM wp_users"
    ):
        facts[f"user {login}: password"] = password
        facts[f"user {login}: reset"] = key
    for login, name, value in database.execute(
        "SELECT user_login, meta_key, meta_value FROM wp_usermeta JOIN wp_users ON ID = user_id"
    ):
        if name in PROFILE:
            facts[f"user {login}: {name}"] = str(value)
    for key, kind, *texts in database.execute(
        "SELECT ID, post_type, post_title, post_content, post_excerpt, post_status FROM wp_posts"
    ):
        if kind in CONTENT and texts[-1] not in ("auto-draft", "trash", UNSAVED.get(kind)):
            facts[f"{kind} {key}"] = "\n".join(texts)
    for key, kind, *texts in database.execute(
        "SELECT term_taxonomy_id, taxonomy, name, slug, description FROM wp_term_taxonomy"
        " JOIN wp_terms USING (term_id)"
    ):
        if kind in TERMS:
            facts[f"{kind} {key}"] = "\n".join(texts)
    return {name: text for name, text in facts.items() if text not in _UNSET}


def _fold_option(name: str, text: str) -> str:
    """Without what WordPress writes when a page is opened."""
    if name == "sidebars_widgets":
        # It puts the widgets of a bar that the theme does not have at the end of the first one.
        places = _PLACE.findall(text)
        return " ".join(place for place in places if not place.startswith("sidebar-"))
    return _MADE_BY_LOOKING.sub("", text).strip("{}")
