"""The pages of signature and vacation responder."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mail import pages_settings as pages
from envs.gyms.apps.mail.app import MAIL
from envs.gyms.server.gym import Refused, State
from tests.envs.gyms.apps.app_requests import make_request, text_of


def test_the_signature(mailbox: State) -> None:
    request = make_request(MAIL, state=mailbox, form={"text": " Me,  at   work "})
    assert 'value="Me, Chief"' in pages.show_signature(request)
    pages.save_signature(request)
    assert "Signature Me, at work" in text_of(pages.show_settings(request))
    request.form["text"] = "x" * 201
    with pytest.raises(Refused, match="too long"):
        pages.save_signature(request)


def test_the_responder_is_turned_on_and_off(mailbox: State) -> None:
    form = {"on": "yes", "first": "2099-01-01", "last": "2099-01-09", "text": "Away"}
    request = make_request(MAIL, state=mailbox, form=form)
    assert "Save responder" in text_of(pages.show_vacation(request))
    pages.save_vacation(request)
    until = request.locale.format_date("2099-01-09")
    assert f"On until {until}" in text_of(pages.show_settings(request))
    del request.form["on"]
    pages.save_vacation(request)
    assert "Vacation responder Off" in text_of(pages.show_settings(request))
    assert mailbox["settings"]["vacation"]["text"] == "Away"
