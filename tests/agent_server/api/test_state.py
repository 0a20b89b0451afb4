"""The newest attempt of a task."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.api.errors import ApiError
from agent_server.api.key_ring import KeyRing
from agent_server.api.machine_metrics import Learner
from agent_server.api.state import ApiState
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.scripts import ScriptFiles
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run


def test_an_unknown_task_is_a_404(tmp_path: Path) -> None:
    settings = Settings(run_dir=tmp_path)
    with Store.open(settings) as store:
        dispatcher = Dispatcher(store, Broker(settings))
        artifacts, scripts = Artifacts(settings.artifacts), ScriptFiles(settings.artifacts)
        keys = KeyRing(store.keys, "")
        state = ApiState(
            settings, store, dispatcher, artifacts, keys, scripts, Learner(settings.run_dir)
        )
        store.runs.create(Run(id="api", kind="serve"))
        store.episodes.create([Episode(id="e1", run_id="api", purpose="api", task={})])
        assert state.newest("e1").id == "e1"
        with pytest.raises(ApiError) as caught:
            state.newest("e2")
        assert caught.value.status == 404
