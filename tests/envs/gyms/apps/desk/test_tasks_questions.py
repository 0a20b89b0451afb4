"""Questions on tickets and agents: the wording of a seed, and what earns success."""

from __future__ import annotations

from collections import Counter

from envs.gyms.apps.desk.gym import GYM
from envs.gyms.apps.desk.labels import get_agent_name
from envs.gyms.apps.desk.rules import is_overdue
from envs.gyms.apps.desk.tasks_questions import TEMPLATES
from envs.gyms.kit.company import get_company
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "count_tickets": "Count the tickets assigned to Maria Lang that are Solved.",
        "compare_load": (
            "Compare Paula Silva, Ivan Rossi, Sara Ivanov and Lena Rossi: which of them has "
            "the most tickets that are Closed? Answer with the name."
        ),
        "most_overdue": "Which assignee at Willowby has the most overdue tickets?",
        "first_due": (
            "Which of the Open tickets of Paula Silva is due first? Answer with its number."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_one_agent_has_the_most_overdue_tickets() -> None:
    for seed in range(20, 23):
        task, today = GYM.make_task("most_overdue", seed), get_company(seed).today
        desk = GYM.initial_state(task)["desk"]
        counts = Counter(
            get_agent_name(desk, ticket)
            for ticket in desk["tickets"]
            if ticket["assignee"] and is_overdue(ticket, today)
        )
        (_, most), (_, second) = counts.most_common(2)
        assert most > second


def test_one_open_ticket_is_due_first() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("first_due", seed)
        desk = GYM.initial_state(task)["desk"]
        days = sorted(
            ticket["due"]
            for ticket in desk["tickets"]
            if ticket["status"] == "Open"
            and get_agent_name(desk, ticket) == task.params["agent_name"]
        )
        assert days[0] < days[1]
