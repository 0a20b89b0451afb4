"""When disturbances happen, and what controls are called then."""

from __future__ import annotations

from itertools import pairwise

from envs.contract.task import Task
from envs.gyms.kit.disturbances import SPARE, SYNONYMS, get_possible_labels, sample_disturbance
from envs.gyms.server.registry import get_web_gym


def test_disturbances_are_off_by_default_repeatable_and_leave_room() -> None:
    task = get_web_gym("billing").make_task("pay_invoice", 3)
    assert all(sample_disturbance(task, "GET", number, last=-9) is None for number in range(1, 200))
    rough = task.model_copy(update={"disturb": 0.8})

    def disturbed_requests(task: Task) -> list[int]:
        last, numbers = -9, []
        for number in range(1, 200):
            if sample_disturbance(task, "GET", number, last=last) is not None:
                last = number
                numbers.append(number)
        return numbers

    numbers = disturbed_requests(rough)
    assert numbers == disturbed_requests(rough)
    assert len(numbers) > 20
    assert min(b - a for a, b in pairwise(numbers)) > SPARE
    assert len(disturbed_requests(task.model_copy(update={"disturb": 0.2}))) < len(numbers)


def test_other_names_of_controls_are_unique() -> None:
    for first, others in SYNONYMS.items():
        assert len({first, *others}) == 1 + len(others)
    assert get_possible_labels("Save payment")[:2] == ("Save payment", "Apply payment")
    assert get_possible_labels("Void invoice") == ("Void invoice",)
