"""The pages of mail's rules."""

from __future__ import annotations

from envs.gyms.apps.mail import pages_rules as pages
from envs.gyms.apps.mail.app import MAIL
from envs.gyms.apps.mail.vocabulary import STAR
from envs.gyms.server.gym import State
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_rules_are_listed_and_opened(mailbox: State) -> None:
    request = make_request(MAIL, state=mailbox)
    assert "Sender contains bo@: move to Team Active" in text_of(pages.show_rules(request))
    assert "Pause rule" in text_of(pages.show_rule(request, "r1"))
    assert "Save rule" in text_of(pages.show_new_rule(request))
    assert logged_events(request) == ["mail:rules", "mail:rule:r1"]


def test_rules_are_created_changed_run_and_deleted(mailbox: State) -> None:
    form = {"field": "Subject", "text": "subject", "does": STAR, "folder": "", "label": ""}
    request = make_request(MAIL, state=mailbox, form=form)
    pages.create_rule(request)
    assert mailbox["rules"][1]["does"] == STAR
    request.form["text"] = "subject 1"
    pages.save_rule(request, "r2")
    assert pages.run_rule(request, "r2").flash == "✓ Messages changed: 1"
    assert mailbox["messages"][0]["starred"]
    pages.pause_rule(request, "r2")
    assert "Resume rule" in text_of(pages.show_rule(request, "r2"))
    pages.resume_rule(request, "r2")
    pages.delete_rule(request, "r2")
    assert [rule["id"] for rule in mailbox["rules"]] == ["r1"]
