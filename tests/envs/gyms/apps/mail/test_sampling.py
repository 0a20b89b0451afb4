"""How mail's templates choose messages."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from envs.gyms.apps.mail import sampling
from envs.gyms.apps.mail.data import make_state
from envs.gyms.kit.company import get_company
from envs.gyms.kit.template import Resample
from envs.gyms.server.gym import State

WORLD = get_company(1)


@pytest.fixture
def state() -> State:
    return {"mail": make_state(WORLD)}


def test_a_chosen_message_is_told_by_subject_and_sender(state: State) -> None:
    message = sampling.choose_message(WORLD, random.Random(2), state, lambda m: m["unread"])
    pairs = Counter((m["subject"], m["name"]) for m in state["mail"]["messages"])
    assert pairs[message["subject"], message["name"]] == 1
    assert message["unread"]
    assert message["folder"] not in (*sampling.UNLISTED_FOLDERS, "sent")
    with pytest.raises(Resample, match="no message fits"):
        sampling.choose_message(WORLD, random.Random(2), state, lambda m: False)


def test_recipients_are_colleagues(state: State) -> None:
    params = sampling.sample_recipient(WORLD, random.Random(5), state)
    message = next(m for m in state["mail"]["messages"] if m["id"] == params["message"])
    assert sampling.is_colleague(WORLD, message)
    assert params["label"].startswith(params["subject"])


def test_invoices_come_with_a_colleague_s_address(state: State) -> None:
    params = sampling.sample_invoice_and_person(WORLD, random.Random(5), state)
    assert params["email"].endswith(f"@{WORLD.domain}")
    assert params["number"] in params["subject"]


def test_own_folders(state: State) -> None:
    folders = sampling.list_own_folders(state)
    assert len(folders) == 6
    assert sampling.get_folder_name(state, folders[0]["id"]) == folders[0]["name"]
