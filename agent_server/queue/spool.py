"""Celery's filesystem transport, made safe for several processes on one folder.

The stock transport writes a message in place, so that a reader can take half of one and fail; in
this one a message appears by rename and belongs to the process that unlinks it. There is one direct
route: the routing key is the queue. The folder is listed once a batch, not once a message.
"""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

import orjson
from kombu.transport import TRANSPORT_ALIASES, filesystem

SCHEME = "spool"
STOP_CHECK_S = 0.25


class SpoolChannel(filesystem.Channel):
    """Messages are files of one folder; names sort by time."""

    supports_fanout = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[no-untyped-call]
        self._listed: deque[Path] = deque()

    def get_table(self, exchange: str) -> list[Any]:
        """No exchanges are kept: the routing key is the queue."""
        return []

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        pass

    def _lookup(self, exchange: str, routing_key: str, default: str | None = None) -> list[str]:
        return [routing_key]

    def _put(  # type: ignore[override]
        self, queue: str, payload: dict[str, Any], **_: Any
    ) -> None:
        folder = Path(self.data_folder_out)
        name = f"{time.monotonic_ns():020d}_{uuid4().hex}.{queue}.msg"
        part = folder / f".{name}.part"
        try:
            part.write_bytes(orjson.dumps(payload))
            part.rename(folder / name)
        except OSError:
            part.unlink(missing_ok=True)
            raise

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        if not self._listed:
            self._listed.extend(sorted(self._messages(queue)))
        while self._listed:
            path = self._listed.popleft()
            try:
                payload = path.read_bytes()
                path.unlink()
            except FileNotFoundError:
                continue
            return orjson.loads(payload)
        raise Empty

    def _size(self, queue: str) -> int:
        return len(self._messages(queue))

    def _purge(self, queue: str) -> int:
        messages = self._messages(queue)
        for path in messages:
            path.unlink(missing_ok=True)
        return len(messages)

    def _messages(self, queue: str) -> list[Path]:
        return list(Path(self.data_folder_in).glob(f"[!.]*.{queue}.msg"))


class SpoolTransport(filesystem.Transport):
    """The transport behind `spool://` URLs."""

    Channel = SpoolChannel

    def drain_events(  # type: ignore[override]
        self, connection: Any, timeout: float | None = None
    ) -> None:
        """Wait in short turns: Celery waits 2 s and checks for a stop only between."""
        wait_s = min(timeout or STOP_CHECK_S, STOP_CHECK_S)
        super().drain_events(connection, wait_s)  # type: ignore[no-untyped-call]


def register() -> None:
    """Make `spool://` a broker URL of this process."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:SpoolTransport"
