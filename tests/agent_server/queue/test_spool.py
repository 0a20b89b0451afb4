from __future__ import annotations

import os
from pathlib import Path

from agent_server.queue.broker import Broker, celery_app
from agent_server.settings import Settings


def test_messages_wait_in_the_folder_in_the_order_they_were_sent(settings: Settings) -> None:
    broker = Broker(settings)
    assert broker.depth() == 0
    assert broker.send(f"e{n}" for n in range(5)) == 5
    assert broker.depth() == 5
    taken = _take_all(settings)
    assert taken == [f"e{n}" for n in range(5)]
    assert broker.depth() == 0


def test_half_a_message_is_never_taken(settings: Settings) -> None:
    """A message appears whole, by rename: what is still being written is invisible."""
    broker = Broker(settings)
    folder = settings.broker_dir
    assert folder is not None
    (folder / ".0001_x.episodes.msg.part").write_bytes(b'{"body": "half')
    broker.send(["e1"])
    assert broker.depth() == 1
    assert _take_all(settings) == ["e1"]


def test_consumers_at_once_take_every_message_once(settings: Settings) -> None:
    Broker(settings).send(f"e{n:03d}" for n in range(200))
    readers = []
    for _ in range(3):
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(write_end, " ".join(_take_all(settings)).encode())
            os._exit(0)
        os.close(write_end)
        readers.append((child, read_end))
    taken: list[str] = []
    for child, read_end in readers:
        with os.fdopen(read_end) as pipe:
            taken += pipe.read().split()
        assert os.waitpid(child, 0)[1] == 0
    assert sorted(taken) == [f"e{n:03d}" for n in range(200)]


def test_other_files_in_the_folder_are_left_alone(settings: Settings, tmp_path: Path) -> None:
    broker = Broker(settings)
    assert settings.broker_dir is not None
    stranger = settings.broker_dir / "notes.txt"
    stranger.write_text("mine")
    broker.send(["e1"])
    _take_all(settings)
    assert stranger.read_text() == "mine"


def _take_all(settings: Settings) -> list[str]:
    app = celery_app(settings)
    taken = []
    with app.connection_for_read() as connection:
        channel = connection.channel()
        while (message := channel.basic_get("episodes", no_ack=True)) is not None:
            taken.append(message.decode()[0][0]["episode_id"])
    return taken
