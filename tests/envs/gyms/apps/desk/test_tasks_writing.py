"""Tasks on writing on tickets: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.desk.gym import GYM
from envs.gyms.apps.desk.tasks_writing import TEMPLATES
from envs.gyms.kit.company import get_company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.template import make_expected_state
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "internal_note": (
            'Leave the internal note "Has a second device to lend" on ticket HD-2022. The '
            "customer must not see it."
        ),
        "canned_answer": (
            'HD-2079: reply with "Out of stock" from the canned replies, status Waiting afterwards.'
        ),
        "escalate_ticket": (
            'Ticket HD-2142 has to go to Engineering. Escalate it; reason: "Nobody here '
            'knows this device"'
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_a_canned_answer_greets_the_customer_by_first_name() -> None:
    task = GYM.make_task("canned_answer", 4)
    spec, before = GYM.spec("canned_answer"), GYM.initial_state(task)
    after = make_expected_state(spec, get_company(4), task.params, before)
    ticket = get_record(after["desk"], "tickets", task.params["ticket"])
    post = ticket["posts"][-1]
    assert post["kind"] == "reply"
    assert post["text"].startswith(f"Hello {task.params['name'].split()[0]}, ")
    assert ticket["status"] == "Waiting"
