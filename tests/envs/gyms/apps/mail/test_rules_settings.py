"""What mail allows with its settings."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mail import rules_settings as rules
from envs.gyms.server.gym import Refused, State

TODAY = "2026-03-01"


def test_a_responder_has_days_in_order_from_today_on(mailbox: State) -> None:
    rules.set_vacation(mailbox, True, TODAY, "2026-03-09", "Away", TODAY)
    assert mailbox["settings"]["vacation"]["on"]
    with pytest.raises(Refused, match="past"):
        rules.set_vacation(mailbox, True, "2026-02-28", "2026-03-09", "Away", TODAY)
    with pytest.raises(Refused, match="before the first"):
        rules.set_vacation(mailbox, True, "2026-03-09", "2026-03-08", "Away", TODAY)
    rules.set_vacation(mailbox, False, "2026-02-01", "2026-01-01", "", TODAY)
    assert not mailbox["settings"]["vacation"]["on"]


def test_the_signature_may_be_empty(mailbox: State) -> None:
    rules.set_signature(mailbox, "")
    assert mailbox["settings"]["signature"] == ""
