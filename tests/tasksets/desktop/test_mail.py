from __future__ import annotations

import random

import pytest

from tasksets.desktop.mail import (
    TEMPLATES,
    mail_address,
    sample_inbox,
    select_message,
    sender_name,
)
from tests.envs.desktop_box import DesktopUser
from tests.tasksets.desktop.audits import (
    check_gui_oracle,
    check_is_deterministic,
    check_names_exist,
    check_only_the_task_scores,
    for_each,
    for_each_on_a_desktop,
    for_each_with_gui,
)


@for_each(TEMPLATES)
def test_same_seed_same_task_and_other_seeds_differ(template: str) -> None:
    check_is_deterministic(template)


@for_each(TEMPLATES)
def test_every_step_getter_and_metric_it_names_exists(template: str) -> None:
    check_names_exist(template)


def test_messages_have_different_senders_and_subjects_and_rising_dates() -> None:
    inbox = sample_inbox(random.Random(5), 5)
    assert len({sender_name(message) for message in inbox}) == 5
    assert len({message["subject"] for message in inbox}) == 5
    assert [message["date"][17:19] for message in inbox] == ["08", "09", "10", "11", "12"]


def test_the_oracle_counts_from_the_latest_message() -> None:
    inbox = sample_inbox(random.Random(5), 3)
    latest = {"type": "click", "target": {"named": inbox[2]["from"], "role": "cell"}}
    assert select_message(inbox, 2) == [latest]
    assert select_message(inbox, 0) == [latest, {"type": "key", "keys": ["down"], "repeat": 2}]
    assert mail_address("Ada Moss") == "ada.moss@example.com"


@pytest.mark.desktop
@for_each_on_a_desktop(TEMPLATES)
async def test_only_the_task_itself_scores(user: DesktopUser, template: str) -> None:
    await check_only_the_task_scores(user, template)


@pytest.mark.desktop
@for_each_with_gui(TEMPLATES)
async def test_a_person_can_solve_it_with_mouse_and_keys(user: DesktopUser, template: str) -> None:
    await check_gui_oracle(user, template)
