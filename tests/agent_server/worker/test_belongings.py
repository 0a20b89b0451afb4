"""What a task names and is not there ends it before a session is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.profiles import Profiles, make_key
from agent_server.worker.belongings import BelongingsStore
from envs.contract.browser_state import BrowserState
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task

STATE = BrowserState.model_validate(
    {
        "cookies": [
            {"name": "sid", "value": "1", "domain": "shop.example"},
            {"name": "sid", "value": "2", "domain": "bank.example"},
        ]
    }
)
BASE = {"id": "t", "instruction": "x", "allow": ["shop.example"]}


@pytest.fixture
def store(tmp_path: Path) -> BelongingsStore:
    keys = tmp_path / "keys"
    keys.write_text(make_key())
    keys.chmod(0o600)
    settings = Settings(run_dir=tmp_path, profile_keys=keys)
    Profiles(settings.artifacts, keys).save("anna", STATE)
    return BelongingsStore(settings, Artifacts(settings.artifacts))


def test_state_of_other_domains_does_not_leave_the_worker(store: BelongingsStore) -> None:
    state = store.load("e1", Task.model_validate(BASE | {"profile": "anna"})).state
    assert state is not None
    assert state.domains == ("shop.example",)


def test_the_first_task_of_a_profile_begins_with_none(store: BelongingsStore) -> None:
    task = Task.model_validate(BASE | {"profile": "new", "save_profile": True})
    assert store.load("e1", task).state is None


@pytest.mark.parametrize(
    "more",
    [
        {"profile": "new"},
        {"secrets": ["password"]},
        {"files": [{"name": "a", "size": 1, "sha256": "0" * 64}]},
    ],
)
def test_what_is_not_there_is_a_fault_of_the_task(
    store: BelongingsStore, more: dict[str, object]
) -> None:
    with pytest.raises(EpisodeFault, match=r"there is no|is gone") as caught:
        store.load("e1", Task.model_validate(BASE | more))
    assert caught.value.reason is InvalidReason.UNRUNNABLE
