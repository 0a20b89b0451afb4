"""Tasks on a serial number: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.desk.gym import GYM
from envs.gyms.apps.desk.tasks_copying import TEMPLATES
from envs.gyms.kit.records import get_record
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "copy_serial": (
            "The customer gave a serial number in HD-2181. Leave it as an internal note on "
            "HD-2142: the serial number alone."
        ),
    }


def test_only_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_the_ticket_has_exactly_one_serial_number() -> None:
    for seed in range(20, 23):
        task = GYM.make_task("copy_serial", seed)
        ticket = get_record(GYM.initial_state(task)["desk"], "tickets", task.params["ticket"])
        texts = [post["text"] for post in ticket["posts"]]
        assert sum(text.startswith("Serial number: ") for text in texts) == 1
