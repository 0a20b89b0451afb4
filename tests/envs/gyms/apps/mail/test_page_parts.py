"""A list of messages, and a choice of folders."""

from __future__ import annotations

from envs.gyms.apps.mail import page_parts
from envs.gyms.apps.mail.app import MAIL
from envs.gyms.server.gym import State
from tests.envs.gyms.apps.app_requests import make_request, text_of


def test_nothing_is_moved_to_sent_or_drafts(mailbox: State) -> None:
    request = make_request(MAIL, state=mailbox)
    names = [name for _, name in page_parts.folder_options(request)]
    assert names == ["Choose a folder", "Inbox", "Archive", "Spam", "Trash", "Team"]


def test_messages_with_their_signs_and_check_boxes(mailbox: State) -> None:
    mailbox["messages"][0] |= {"starred": True, "label": "Urgent"}
    request = make_request(MAIL, state=mailbox)
    html = page_parts.render_messages(request, mailbox["messages"], "bulk")
    assert 'form="bulk"' in html
    text = text_of(html)
    assert "3 found, sorted by Newest" in text
    assert "Unread Starred Urgent" in text.replace("  ", " ") or "UnreadStarredUrgent" in html


def test_filters_of_the_list(mailbox: State) -> None:
    for query in ({"status": "Read"}, {"q": "from:lee"}, {"q": "subject:subject acme"}):
        request = make_request(MAIL, state=mailbox, query=query)
        html = page_parts.render_messages(request, mailbox["messages"], "bulk")
        assert "1 found" in text_of(html), query


def test_unread_rows_stand_out_and_show_how_their_message_begins(mailbox: State) -> None:
    unread, read = mailbox["messages"][:2]
    unread |= {"unread": True, "body": "Hello,\nthe code is 77"}
    read |= {"unread": False}
    request = make_request(MAIL, state=mailbox)
    html = page_parts.render_messages(request, [unread, read], "bulk")
    assert html.count('<tr class="unread">') == 1
    assert 'data-text="Hello,"' in html
    assert "77" not in html
