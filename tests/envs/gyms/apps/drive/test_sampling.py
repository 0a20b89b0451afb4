"""How the drive's templates choose files and folders."""

from __future__ import annotations

import random

import pytest

from envs.gyms.apps.drive import sampling
from envs.gyms.apps.drive.data import make_state
from envs.gyms.kit.company import get_company
from envs.gyms.kit.template import Resample
from envs.gyms.server.gym import State


@pytest.fixture
def state() -> State:
    return {"drive": make_state(get_company(1))}


def test_a_chosen_file_is_told_by_its_name_alone(state: State) -> None:
    everything = [*state["drive"]["folders"], *state["drive"]["files"]]
    names = [item["name"].casefold() for item in everything]
    unique = sampling.list_unique_files(state)
    assert unique
    assert all(names.count(file["name"].casefold()) == 1 for file in unique)
    user = get_company(1).user.id
    assert {file["owner"] for file in sampling.list_own_files(get_company(1), state)} == {user}
    params = sampling.sample_own_file(get_company(1), random.Random(3), state)
    assert params["name"] in [file["name"] for file in unique]


def test_samples_that_make_no_task_are_taken_again(drive: State) -> None:
    with pytest.raises(Resample, match="there is no file that is red"):
        sampling.choose_file(random.Random(0), [], "is red")
    drive["folders"] = drive["folders"][:2]
    with pytest.raises(Resample, match="taken"):
        sampling.choose_folder(random.Random(0), drive, "root", ["MINE"])
    assert sampling.choose_folder(random.Random(0), drive, "root", ["free"])["id"] == "f1"
