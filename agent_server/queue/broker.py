"""The Celery application, the one message it carries, and who sends it.

The broker only delivers: a message names an episode row, the row says everything else. A message
that is lost is sent again by the reaper, one that comes twice changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

from celery import Celery
from kombu.exceptions import OperationalError
from pydantic import BaseModel, ConfigDict

from agent_server.queue import spool
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.io.traces import trace_headers

log = logging.getLogger(__name__)

EPISODE_TASK = "deskhand.episode"
QUEUE = "episodes"
POLLING_INTERVAL_S = 0.05


class BrokerError(RuntimeError):
    """The broker cannot be reached; the message says which."""


class EpisodeMessage(BaseModel):
    """The only message: the id of the episode to run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    episode_id: str


def celery_app(settings: Settings) -> Celery:
    """A Celery application on the broker of the settings."""
    app = Celery("deskhand", set_as_current=False)
    app.conf.update(
        task_default_queue=QUEUE,
        task_default_exchange=QUEUE,
        task_default_routing_key=QUEUE,
        task_serializer="json",
        accept_content=["json"],
        # A message is gone when its episode has ended: one that a dying worker held comes again.
        task_acks_late=True,
        task_ignore_result=True,
        worker_pool="threads",
        worker_concurrency=settings.concurrency,
        # An episode takes minutes: a worker must not hold messages that others could run.
        worker_prefetch_multiplier=1,
        worker_disable_rate_limits=True,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_redirect_stdouts=False,
        broker_connection_retry_on_startup=True,
        # With a bound, so that a worker without a broker ends and is seen to.
        broker_connection_max_retries=20,
        broker_heartbeat=0,
    )
    folder = settings.broker_dir
    if folder is None:
        app.conf.broker_url = settings.broker_url
        if settings.broker_url.startswith(("redis://", "rediss://")):
            # Redis' client takes a while to load, and a machine of its own has none.
            from agent_server.queue import redis_link

            redis_link.register()
            app.conf.broker_transport_options = dict(redis_link.LINK)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        spool.register()
        app.conf.broker_url = f"{spool.SCHEME}://localhost"
        app.conf.broker_transport_options = {
            "data_folder_in": str(folder),
            "data_folder_out": str(folder),
            "polling_interval": POLLING_INTERVAL_S,
        }
    return app


class Broker:
    """Sends episode messages and looks at the queue."""

    def __init__(self, settings: Settings) -> None:
        self._app = celery_app(settings)
        self._url = settings.broker_url or str(settings.broker_dir)

    def send(self, episode_ids: Iterable[str]) -> int:
        """Send one message an id; returns how many. Call it after the rows were committed. Raises
        BrokerError."""
        count = 0
        try:
            with self._app.producer_or_acquire() as producer:
                for episode_id in episode_ids:
                    message = EpisodeMessage(episode_id=episode_id)
                    self._app.send_task(
                        EPISODE_TASK,
                        (message.model_dump(),),
                        producer=producer,
                        retry=False,
                        # Not in the message: a worker of the version before refuses what is new.
                        headers=trace_headers(),
                    )
                    count += 1
        except (OperationalError, OSError) as error:
            raise BrokerError(f"cannot send to the broker {self._url}: {error}") from error
        return count

    def depth(self) -> int:
        """Messages that no worker has taken yet. Raises BrokerError."""
        try:
            with self._app.connection_for_read() as connection:
                channel = connection.default_channel
                try:
                    return int(channel.queue_declare(QUEUE, passive=True).message_count)
                except connection.channel_errors:
                    return 0
        except (OperationalError, OSError) as error:
            raise BrokerError(f"cannot read the broker {self._url}: {error}") from error

    def close(self) -> None:
        """Release the connections."""
        self._app.close()


class Dispatcher:
    """Creates episodes and sends them; one for each process that starts episodes."""

    def __init__(self, store: Store, broker: Broker) -> None:
        self.store = store
        self.broker = broker
        self.is_cut_off = False
        """The last episodes could not be sent."""

    def dispatch(self, episodes: Sequence[Episode]) -> list[str]:
        """Create and send episodes. Rows first, messages second: a worker drops a message without a
        row."""
        ids = self.store.episodes.create(episodes)
        self.send(ids)
        return ids

    def send(self, episode_ids: Sequence[str]) -> None:
        """Send messages. If the broker is down nothing is lost: the reaper sends again."""
        try:
            self.broker.send(episode_ids)
            self.is_cut_off = False
        except BrokerError as error:
            self.is_cut_off = True
            log.warning("%d episodes wait in the database: %s", len(episode_ids), error)
