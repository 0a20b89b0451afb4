"""Tasks on invoices that came by mail: their totals, numbers and due days."""

from __future__ import annotations

from envs.gyms.apps.mail.gym import GYM
from envs.gyms.apps.mail.tasks_invoices import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "tell_total": (
            "Reply to “Team offsite for autumn” from Ana Moreau with the total of the invoice "
            "attached to the newest message from the firm Harbor Media. The text is the amount "
            "alone, as it is written there."
        ),
        "invoice_due": "When is the invoice CT-3413 due? It came by mail.",
        "largest_invoice": (
            "Which of the invoices that the firm Acorn Works sent by mail has the largest total? "
            "Answer with its number."
        ),
        "tell_largest": (
            "Marie Berg wants to know, in “Contract with Delta Systems”, which invoice mailed by "
            "Juniper Travel has the highest total. Reply with just the number of that invoice."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
