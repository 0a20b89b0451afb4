"""HTTP messages of a host: bounded bodies of requests; JSON answers, and faults as problem JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import orjson
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from envs.contract.host_api import NO_SUCH_STATE
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import TAKEOVER_REPLY, CannotSnapshot, HumanTakeover
from envs.contract.validation import describe_first
from envs.host.leases import LeaseEnded, NoCapacity

MAX_BODY = 4 * 1024 * 1024


class TooLarge(Exception):
    """The body is over the limit."""


async def read_body(request: Request, limit: int = MAX_BODY) -> bytes:
    """Raises TooLarge above `limit` bytes."""
    if int(request.headers.get("content-length") or 0) > limit:
        raise TooLarge(limit)
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > limit:
            raise TooLarge(limit)
    return bytes(body)


def problem(status: int, title: str, detail: str, reason: InvalidReason | None = None) -> Response:
    """RFC 9457 problem details."""
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    if reason is not None:
        body["reason"] = str(reason)
    headers = {"Retry-After": "1"} if status == 503 else None
    return Response(
        orjson.dumps(body), status, media_type="application/problem+json", headers=headers
    )


def json_reply(data: object) -> Response:
    """A JSON response with status 200."""
    return Response(orjson.dumps(data), media_type="application/json")


Handler = Callable[[Request], Awaitable[Response]]


def with_problem_replies(handler: Handler) -> Handler:
    """Bad requests and faults as problem JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(request)
        except ValidationError as error:
            return problem(422, "Bad request", describe_first(error)[:500])
        except EpisodeFault as fault:
            return problem(502, "Environment fault", fault.detail, fault.reason)
        except CannotSnapshot as error:
            return problem(409, NO_SUCH_STATE, str(error))
        except HumanTakeover:
            return Response(TAKEOVER_REPLY, 202, media_type="application/json")
        except TooLarge as error:
            return problem(413, "Too large", f"the body is over {error} bytes")
        except LeaseEnded:
            return problem(404, "No such session", "it was closed, or its lease expired")
        except NoCapacity as error:
            return problem(503, "No capacity", str(error))

    return endpoint
