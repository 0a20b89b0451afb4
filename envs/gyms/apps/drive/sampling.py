"""How the drive's templates sample files and folders for their params.

Draws take from the random source in a fixed order, so that a seed always makes the same task.
"""

from __future__ import annotations

import random
from collections import Counter

from envs.gyms.apps.drive import lookup
from envs.gyms.apps.drive.vocabulary import Item
from envs.gyms.kit.company import Company
from envs.gyms.kit.template import Params, Resample
from envs.gyms.server.gym import State


def drive_part(state: State) -> State:
    """The drive's part of a session's state."""
    part: State = state["drive"]
    return part


def list_unique_files(state: State) -> list[Item]:
    """Files outside of the trash whose name, in any case, nothing else has."""
    part = drive_part(state)
    everything = [*part["folders"], *part["files"]]
    count = Counter(item["name"].casefold() for item in everything)
    living = [item for item in lookup.list_active_items(part) if lookup.is_file(item)]
    return [file for file in living if count[file["name"].casefold()] == 1]


def list_active_files(state: State) -> list[Item]:
    """Files outside of the trash."""
    return [item for item in lookup.list_active_items(drive_part(state)) if lookup.is_file(item)]


def list_own_files(world: Company, state: State) -> list[Item]:
    """As `list_unique_files`, of the user alone."""
    return [file for file in list_unique_files(state) if file["owner"] == world.user.id]


def choose_file(rng: random.Random, files: list[Item], condition: str) -> Item:
    """Raises Resample if there are none; `condition` completes "there is no file that"."""
    if not files:
        raise Resample(f"there is no file that {condition}")
    return rng.choice(files)


def file_params(file: Item) -> Params:
    """The params that name a file."""
    return {"file": file["id"], "name": file["name"]}


def sample_own_file(world: Company, rng: random.Random, state: State) -> Params:
    """Params of a random file of the user."""
    return file_params(choose_file(rng, list_own_files(world, state), "is the user's"))


def choose_folder(rng: random.Random, part: State, excluded: str, names: list[str]) -> Item:
    """A folder that can take items with these names. Raises Resample if it cannot."""
    folder: Item = rng.choice([f for f in part["folders"] if f["id"] != excluded])
    taken_names = {item["name"].casefold() for item in lookup.list_children(part, folder["id"])}
    if taken_names & {name.casefold() for name in names}:
        raise Resample("the names are taken in every folder")
    return folder
