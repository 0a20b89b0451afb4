"""Mail as an app."""

from __future__ import annotations

import random

from envs.gyms.apps.mail.app import MAIL
from envs.gyms.server.gym import State


def test_each_path_has_one_page_and_the_navigation_leads_to_pages() -> None:
    pages = [(page.method, page.path) for page in MAIL.pages]
    assert len(set(pages)) == len(pages)
    assert {path for _, path in MAIL.nav} <= {path for _, path in pages} | {"/folders/inbox"}


def test_forms_of_a_message_come_before_the_pages_that_take_any_word() -> None:
    paths = [page.path for page in MAIL.pages if page.method == "GET"]
    for path in ("/messages/{key}/move", "/messages/{key}/label", "/messages/{key}/attachment"):
        assert paths.index(path) < paths.index("/messages/{key}/{how}")


def test_the_stray_change_adds_a_folder(mailbox: State) -> None:
    MAIL.make_stray_change(mailbox, random.Random(0))
    assert mailbox["folders"][-1]["name"].startswith("Misc ")
