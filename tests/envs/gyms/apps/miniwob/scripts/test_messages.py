"""Scripts of mail and posts."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.scripts import messages
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.miniwob.play import observation, play, thoughts

POSTS = (
    "text Ann @ann 2h ago",
    "switch Like #",
    "button More #",
    "text Bo @bo 3h ago",
    "switch Like (checked) #",
    "button More #",
    "menu Block #",
    "text Bo @bo 4h ago",
    "switch Like #",
    "button Submit #",
)
MAILS = ("link Ann Hello #", "button Trash #", "link Bo News #", "button Trash #")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Find the email by Ann and click the trash icon.", "Ann"),
        ("Bo sent you an email about lunch", "Bo"),
        ("Get Cid email and forward it", "Cid"),
        ("Open the first message", ""),
    ],
)
def test_senders_in_queries(query: str, name: str) -> None:
    assert messages.sender_name(query) == name


def test_only_posts_of_the_user_that_are_not_yet_liked() -> None:
    query = 'text Click the "Like" button on 1 post by @bo and then click Submit.'
    page = observation(query, *POSTS)
    assert play(messages.post_actions, page) == ["click Like", "click Submit"]
    assert thoughts(messages.post_actions, page) == ["0 of 1 done. @bo: Like #9.", "1 of 1 done."]
    with pytest.raises(OracleLost, match="the post has no Reply"):
        play(messages.post_action, observation('text For the user @bo, click "Reply".', *POSTS))


def test_an_action_in_the_menu_of_a_post() -> None:
    page = observation('text For the user @bo, click on the "Block" button.', *POSTS)
    assert play(messages.post_action, page) == ["click More", "click Block"]
    assert thoughts(messages.post_action, page)[0] == "@bo: Like #5, More #6."


def test_mails_are_deleted_answered_and_forwarded() -> None:
    delete = observation("text Find the email by Bo and click the trash icon.", *MAILS)
    assert play(messages.email, delete) == ["click Trash"]
    assert thoughts(messages.email, delete) == ["delete: Bo is #3, its Trash #4."]
    reply = 'text Find the email by Ann and reply to them with the text "Yes".'
    opened = observation(reply, "button Reply #", "box Message #", "button Send #")
    moves = play(messages.email, observation(reply, *MAILS), opened)
    assert moves == ["click Ann Hello", "click Reply", "type Message Yes", "click Send"]
    forward = "text Find the email by Ann and forward that email to Bo."
    opened = observation(forward, "button Forward #", "box To #", "button Send #")
    moves = play(messages.email, observation(forward, *MAILS), opened)
    assert moves[1:] == ["click Forward", "type To Bo", "click Send"]
    with pytest.raises(OracleLost, match="no mail by Cid"):
        play(messages.email, observation("text Find the email by Cid", *MAILS))
