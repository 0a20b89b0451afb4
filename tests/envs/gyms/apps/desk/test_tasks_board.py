"""Tasks on the board and canned replies: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.desk.board import CARDS_PER_COLUMN
from envs.gyms.apps.desk.gym import GYM
from envs.gyms.apps.desk.sampling import list_tickets_of_agent
from envs.gyms.apps.desk.tasks_board import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "drag_card": ("On the board of Oscar Ruiz, drag the card HD-2107 from Waiting to Open."),
        "new_canned_reply": (
            'Add "Visit planned" to the canned replies. Its text: "Hello %name%, a technician of '
            'Willowby comes to you this week."'
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_a_card_to_be_dragged_is_on_its_agent_s_board() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("drag_card", seed)
        p = task.params
        tickets = list_tickets_of_agent(GYM.initial_state(task), p["agent_name"], p["from"])
        cards = sorted(tickets, key=lambda ticket: ticket["due"])[:CARDS_PER_COLUMN]
        assert p["ticket"] in [ticket["id"] for ticket in cards]
        assert {p["from"], p["status"]} == {"Open", "Waiting"}
