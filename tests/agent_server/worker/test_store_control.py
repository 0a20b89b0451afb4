from __future__ import annotations

from pathlib import Path

from agent_server.episodes.control import Orders
from agent_server.store.control import ControlStore
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from agent_server.worker.store_control import StoreControl
from tests.agent_server.toy_env import toy_task


def stored(store: Store) -> StoreControl:
    task = toy_task().model_dump(mode="json")
    store.episodes.create([Episode(id="e1", run_id="api", purpose="api", task=task)])
    return StoreControl(store.control, "e1", 60)


async def test_each_follow_up_is_read_once(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path / 'x.db'}") as store:
        control = stored(store)
        assert await control.read() == Orders()
        store.control.add_follow_up("e1", "one")
        store.control.add_follow_up("e1", "two")
        assert (await control.read()).follow_ups == ("one", "two")
        store.control.add_follow_up("e1", "three")
        assert (await control.read()).follow_ups == ("three",)


async def test_a_database_that_is_away_leaves_a_pause_as_it_was(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path / 'x.db'}") as store:
        control = stored(store)
        store.control.set_paused("e1", True)
        assert await control.read() == Orders(is_paused=True)
        with store.engine.begin() as db:
            db.exec_driver_sql("ALTER TABLE episode RENAME TO hidden")
        assert await control.read() == Orders(is_paused=True)


async def test_an_episode_that_is_gone_has_no_orders(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path / 'x.db'}") as store:
        assert isinstance(store.control, ControlStore)
        assert await StoreControl(store.control, "nobody", 60).read() == Orders()
