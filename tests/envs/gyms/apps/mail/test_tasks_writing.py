"""Tasks that write: answers, new messages, forwards, drafts."""

from __future__ import annotations

from envs.gyms.apps.mail.gym import GYM
from envs.gyms.apps.mail.tasks_writing import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "reply": (
            "Reply to the message “Office move for autumn” from Lina Vidal alone: Count me in"
        ),
        "reply_all": (
            "Answer everybody on Ana Moreau's message “Roadmap draft open points” with this "
            "text: We cannot do that this month"
        ),
        "new_message": (
            "Send a new message to nina.winter@willowby.example, cc sara.egger@willowby.example, "
            "subject “Customer survey for autumn”, with this text: We cannot do that this month"
        ),
        "forward": (
            "Anne Hansen needs “Invoice CS-3332” of Lina Roux, Cobalt Studios: forward it, "
            "adding no text. Look the address up in Anne Hansen's messages."
        ),
        "forward_nothing": (
            "Send the file attached to Sara Moreau's “Re: Price list costs” on to "
            "jonas.hansen@willowby.example, if there is one."
        ),
        "send_draft": (
            "The draft “Office move for Noah Ivanov” lacks an address only: "
            "sara.maier@willowby.example. Complete and send it."
        ),
        "tell_phone": (
            "Reply to “Customer survey costs” from Ana Moreau with Marie Martin's phone number, "
            "which stands below messages from Marie Martin. The text is the number alone, as it "
            "is written there."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
