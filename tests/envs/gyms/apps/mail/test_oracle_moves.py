"""Ways to messages, folders and attachments that mail's oracles share."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mail import oracle_moves
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.oracle_walk import make_page, walk

PARAMS = {"subject": "Budget", "label": "Budget, Mar 5, 2026 10:00"}


def test_a_message_is_searched_by_its_subject_and_opened_by_its_label() -> None:
    start = make_page("link All mail #")
    mails = make_page(
        "box Search #", "link Budget, Mar 5, 2026 11:00 #", f"link {PARAMS['label']} #"
    )
    moves, _ = walk(lambda page: oracle_moves.open_message(page, PARAMS), start, mails)
    assert moves == ["click All mail", "type Search Budget", f"click {PARAMS['label']}"]


def test_folders_are_opened_from_their_list() -> None:
    folders = make_page("link Folder Team #")
    moves, _ = walk(lambda page: oracle_moves.open_folder(page, "Team"), folders)
    assert moves == ["click Folder Team"]
    other = make_page("link Folders #")
    moves, _ = walk(lambda page: oracle_moves.open_folder(page, "Team"), other, folders)
    assert moves == ["click Folders", "click Folder Team"]


def test_answers_and_ticks() -> None:
    message = make_page("link Reply #")
    form = make_page("box Text #", "button Send #")
    moves, answer = walk(lambda page: oracle_moves.send_answer(page, "Reply", "Yes"), message, form)
    assert (moves, answer) == (["click Reply", "type Text Yes", "click Send"], None)
    mails = make_page("check Select 10:00 #", "check Select 11:00 #")
    moves, _ = walk(lambda page: oracle_moves.tick_messages(page, ["11:00", "10:00"]), mails)
    assert moves == ["click Select 11:00", "click Select 10:00"]


def test_an_invoice_is_the_attachment_of_its_message() -> None:
    mails, message = make_page("link Invoice A-1 #"), make_page("link A-1.pdf #")
    moves, _ = walk(lambda page: oracle_moves.open_invoice(page, "Invoice A-1"), mails, message)
    assert moves == ["click Invoice A-1", "click A-1.pdf"]
    with pytest.raises(OracleLost, match="no attachment"):
        walk(lambda page: oracle_moves.open_invoice(page, "Invoice A-1"), mails, mails)
