"""The broker delivers ids and counts what waits."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.queue.broker import Broker, BrokerError, celery_app
from agent_server.settings import Settings


def test_messages_wait_in_the_run_folder(tmp_path: Path) -> None:
    broker = Broker(Settings(run_dir=tmp_path))
    assert broker.depth() == 0
    assert broker.send(["e1", "e2"]) == 2
    assert broker.depth() == 2
    assert len(list((tmp_path / "broker").glob("*.msg"))) == 2
    broker.close()


def test_a_worker_takes_one_message_a_thread_and_acknowledges_late(tmp_path: Path) -> None:
    app = celery_app(Settings(run_dir=tmp_path, concurrency=7))
    assert (app.conf.worker_concurrency, app.conf.worker_prefetch_multiplier) == (7, 1)
    assert app.conf.task_acks_late


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    broker = Broker(Settings(run_dir=tmp_path))
    folder = tmp_path / "broker"
    folder.rmdir()
    folder.write_text("no folder")
    with pytest.raises(BrokerError, match=str(folder)):
        broker.send(["e1"])
