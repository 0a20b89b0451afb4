"""Celery's Redis transport, made safe for a Redis that goes away.

The stock transport counts a message as being worked on until Redis has taken its acknowledgement.
One that fails is never repeated, so a worker that could not acknowledge as many messages as it has
threads takes no message any more, though it is connected again and looks well. In this one an
acknowledgement that fails frees its place. The message stays in Redis and is delivered once more,
later, which changes nothing: the database knows that the episode has ended.
"""

from __future__ import annotations

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis, virtual

SCHEMES = ("redis", "rediss")
LINK: dict[str, Any] = {
    "socket_timeout": 10,
    "socket_connect_timeout": 5,
    "socket_keepalive": True,
    "health_check_interval": 8,
}
"""Transport options. A connection whose other side went away without a word is dropped within 20 s,
where Redis' client would wait for ever."""


class FreeingQoS(redis.QoS):
    """Frees the place of a message also where Redis does not hear of it."""

    def ack(self, delivery_tag: str) -> None:
        """Raises what Redis' client raises; the message's place is free anyway."""
        try:
            self._remove_from_indices(delivery_tag).execute()  # type: ignore[no-untyped-call]
        finally:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]


class RedisChannel(redis.Channel):
    """A channel with such places."""

    QoS = FreeingQoS


class RedisTransport(redis.Transport):
    """The transport behind `redis://` and `rediss://` URLs."""

    Channel = RedisChannel


def register() -> None:
    """Make it the transport of Redis' URLs in this process."""
    for scheme in SCHEMES:
        TRANSPORT_ALIASES[scheme] = f"{__name__}:RedisTransport"
