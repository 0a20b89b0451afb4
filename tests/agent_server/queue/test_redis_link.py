"""A Redis that goes away costs no worker."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent_server.queue import redis_link
from agent_server.queue.broker import QUEUE, Broker, BrokerError, celery_app
from agent_server.settings import Settings
from envs.providers.local import free_port

pytest.importorskip("redis")


@dataclass(frozen=True, slots=True)
class Server:
    process: subprocess.Popen[bytes]
    settings: Settings


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A Redis of the test's own."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    process = subprocess.Popen([*command, "--dir", str(tmp_path)], stdout=subprocess.DEVNULL)
    yield Server(process, Settings(run_dir=tmp_path, broker_url=f"redis://127.0.0.1:{port}/0"))
    process.kill()
    process.wait()


def send(settings: Settings, episode_id: str) -> None:
    """As soon as Redis listens."""
    broker, deadline = Broker(settings), time.monotonic() + 60
    while True:
        try:
            broker.send([episode_id])
            return
        except BrokerError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.services
def test_messages_that_could_not_be_acknowledged_do_not_stop_a_worker(server: Server) -> None:
    send(server.settings, "e1")
    with celery_app(server.settings).connection_for_read() as connection:
        channel = connection.channel()
        channel.basic_qos(0, 1, False)
        message = channel.basic_get(QUEUE)
        assert not channel.qos.can_consume(), "it has one place"
        server.process.kill()
        server.process.wait()
        with pytest.raises(connection.connection_errors):
            channel.basic_ack(message.delivery_tag)
        assert channel.qos.can_consume()


def test_a_redis_that_goes_away_without_a_word_is_noticed(tmp_path: Path) -> None:
    """Celery's own limits: none, and almost a minute."""
    app = celery_app(Settings(run_dir=tmp_path, broker_url="redis://127.0.0.1:1/0"))
    with app.connection_for_write() as connection:
        channel, options = connection.transport.Channel, connection.transport_options
    assert set(redis_link.LINK) <= set(channel.from_transport_options)
    assert redis_link.LINK.items() <= options.items()
    assert 2 * redis_link.LINK["health_check_interval"] < 20
