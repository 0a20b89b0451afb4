"""Scripts for what people worded freely."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.assets import is_installed
from envs.gyms.apps.miniwob.scripts import wordings
from envs.gyms.apps.miniwob.scripts.messages import MailAction
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.miniwob.play import observation, play

if not is_installed():
    pytest.skip("the package miniwob is not installed", allow_module_level=True)

MAILS = ("link Ann Hello #", "button Trash #", "link Bo News #", "button Trash #")


def test_boxes_with_similar_words() -> None:
    boxes = ("check tiny #", "check vehicle #", "check water #")
    page = observation(
        "text Select words similar to car, small and click Submit.", *boxes, "button Submit #"
    )
    assert play(wordings.similar_boxes, page) == ["click tiny", "click vehicle", "click Submit"]
    with pytest.raises(OracleLost, match="similar to xyzzy"):
        wordings.similar_words("xyzzy")


def test_sentences_about_mail() -> None:
    (request,) = wordings.requests_of('Email Kiley the message, "Amet, a."')
    assert request == wordings.MailRequest(MailAction.REPLY, "Kiley", "Amet, a.")
    (request,) = wordings.requests_of("Forward Bo the latest email from Ann.")
    assert request == wordings.MailRequest(MailAction.FORWARD, "Ann", "Bo")


def test_the_sender_is_the_one_whose_mail_is_there() -> None:
    page = observation("text The email from Bo needs to be deleted.", *MAILS)
    assert play(wordings.worded_email, page) == ["click Trash"]
    with pytest.raises(OracleLost, match="no mail fits"):
        play(wordings.worded_email, observation("text Forward email from Cid to Bo.", *MAILS))
