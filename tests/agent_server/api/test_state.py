"""The key check, and the newest attempt of a task."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agent_server.api.errors import ApiError
from agent_server.api.state import ApiState, check_key
from agent_server.queue.broker import Broker
from agent_server.queue.dispatch import Dispatcher
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run


def request(key: str, **headers: str) -> Any:
    state = SimpleNamespace(deskhand=SimpleNamespace(settings=Settings(api_key=key)))
    return SimpleNamespace(app=SimpleNamespace(state=state), headers=headers)


@pytest.mark.parametrize("headers", [{"authorization": "Bearer k1"}, {"x-api-key": "k1"}])
def test_the_key_is_taken_from_either_header(headers: dict[str, str]) -> None:
    check_key(request("k1", **headers))
    with pytest.raises(ApiError):
        check_key(request("k2", **headers))


def test_without_a_key_in_the_settings_nobody_enters() -> None:
    with pytest.raises(ApiError):
        check_key(request("", authorization="Bearer "))


def test_an_unknown_task_is_a_404(tmp_path: Path) -> None:
    settings = Settings(run_dir=tmp_path)
    with Store.open(settings) as store:
        dispatcher = Dispatcher(store, Broker(settings))
        state = ApiState(settings, store, dispatcher, Artifacts(settings.artifacts))
        store.runs.create(Run(id="api", kind="serve"))
        store.episodes.create([Episode(id="e1", run_id="api", purpose="api", task={})])
        assert state.newest("e1").id == "e1"
        with pytest.raises(ApiError) as caught:
            state.newest("e2")
        assert caught.value.status == 404
