"""Tasks on mail's rules: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.mail.gym import GYM
from envs.gyms.apps.mail.tasks_rules import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "edit_rule": (
            "Messages that the rule “Subject contains Trade fair: move to Offers” moves shall go "
            "to To pay from now on."
        ),
        "delete_rule": "Delete the rule “Sender contains Delta Systems: move to Paid”.",
        "new_rule": (
            "Mail from maria.lopez@willowby.example shall go to Travel bills: make a rule that "
            "looks at the sender for this address, then run it on Inbox once."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
