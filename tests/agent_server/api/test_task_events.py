"""What the followers of tasks cost: two queries a round, however many they are."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import event

from agent_server.api.key_ring import KeyRing
from agent_server.api.machine_metrics import Learner
from agent_server.api.state import ApiState
from agent_server.api.task_events import load_news
from agent_server.episodes.trajectory import EpisodeResult
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.scripts import ScriptFiles
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from envs.contract.outcomes import EpisodeFault, InvalidReason, Status


def test_news_of_many_tasks_are_two_queries(tmp_path: Path) -> None:
    settings = Settings(run_dir=tmp_path)
    artifacts = Artifacts(settings.artifacts)
    with Store.open(settings) as store:
        store.runs.create(Run(id="api", kind="serve"))
        names = [f"e{number}" for number in range(50)]
        rows = [Episode(id=name, run_id="api", purpose="api", task={}) for name in names]
        store.episodes.create(rows)
        lost = EpisodeResult.invalid(EpisodeFault(InvalidReason.HOST_LOST, "gone"))
        for name in ("e1", "e2"):
            store.episodes.lease(name, "w")
            store.episodes.finish(name, "w", lost)
        store.episodes.retry("e2")
        with Recorder(artifacts, "e2.2") as recorder:
            recorder._files.append(b"{}")
        dispatcher, keys = Dispatcher(store, Broker(settings)), KeyRing(store.keys, "")
        scripts = ScriptFiles(settings.artifacts)
        state = ApiState(
            settings, store, dispatcher, artifacts, keys, scripts, Learner(settings.run_dir)
        )
        statements: list[str] = []
        event.listen(
            store.engine,
            "before_cursor_execute",
            lambda db, cursor, statement, *_: statements.append(statement),
        )
        news = load_news(state, [*names, "unknown"])
    selects = [statement for statement in statements if statement.startswith("SELECT")]
    assert len(selects) == 2, selects
    assert news.keys() == set(names)
    assert (news["e0"].episode_id, news["e0"].status, news["e0"].size) == ("e0", Status.QUEUED, 0)
    assert news["e1"].status is Status.QUEUED, "another attempt follows"
    assert (news["e2"].episode_id, news["e2"].size) == ("e2.2", 3)
