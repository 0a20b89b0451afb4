"""Client of the gym server's admin routes, for the host only: pages never see the token.

Guarantees: a gym server that does not answer is EpisodeFault(GYM_LOST) whatever it was asked for,
for the same attempt works once it is back.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar
from urllib.parse import quote

import orjson
from pydantic import BaseModel

from envs.contract.gym_api import (
    ADMIN_HEADER,
    Deleted,
    SessionCopied,
    SessionReady,
    SessionView,
    ToolReply,
    VerdictReply,
    VerdictRequest,
)
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Verdict
from envs.contract.task import Task
from envs.io.cdp import Json
from envs.io.json_client import CallFailed, JsonClient
from envs.state.gym_evidence import GymEvidence

TIMEOUT_S = 10.0
BEGIN_S = 40.0
"""For the beginning of a task: an application of others may have to be started and filled first."""
COOKIE = "dh_session"
UNPROCESSABLE = 422
"""The gym would not make this task: it never will."""
TOOL_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
Reply = TypeVar("Reply", bound=BaseModel)


class GymAdmin:
    """Client of the admin routes at `base_url`, such as http://127.0.0.1:8100."""

    def __init__(self, base_url: str, token: str) -> None:
        self._client = JsonClient(base_url, timeout_s=TIMEOUT_S, headers={ADMIN_HEADER: token})

    @property
    def base_url(self) -> str:
        """Address of the gym server."""
        return self._client.base_url

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def put(self, key: str, task: Task) -> SessionReady:
        """Creates the session `key`, or resets it to the task. Raises EpisodeFault."""
        body = task.model_dump_json().encode()
        return await self._call("PUT", key, body, InvalidReason.RESET, SessionReady, BEGIN_S)

    async def copy(self, key: str, to: str) -> str:
        """Makes the session `to` equal to `key`; gives its state's hash. Raises EpisodeFault."""
        path = f"{key}/copies/{to}"
        return (await self._call("POST", path, b"", InvalidReason.RESET, SessionCopied)).state_hash

    async def states(self, key: str) -> SessionView:
        """The session's task and its states before and now. Raises EpisodeFault."""
        return await self._call("GET", key, None, InvalidReason.EVALUATOR_ERROR, SessionView)

    async def delete(self, key: str) -> None:
        """Ends the session. Raises EpisodeFault."""
        await self._call("DELETE", key, None, InvalidReason.RESET, Deleted)

    async def verdict(
        self, key: str, answer: str | None, infeasible: bool, page: dict[str, Any] | None = None
    ) -> Verdict:
        """`page`: the report of a page that owns its state."""
        request = VerdictRequest(answer=answer, infeasible=infeasible, page=page)
        return (await self._fetch_verdict(key, request))[0]

    async def verdict_on(
        self,
        key: str,
        task: Task,
        answer: str | None,
        infeasible: bool,
        page: dict[str, Any] | None,
    ) -> tuple[Verdict, GymEvidence]:
        """The verdict on the session's task, and what it was made from."""
        request = VerdictRequest(answer=answer, infeasible=infeasible, page=page, keep=True)
        verdict, reply = await self._fetch_verdict(key, request)
        return verdict, GymEvidence(
            task=task,
            answer=answer,
            infeasible=infeasible,
            change=reply.change or {},
            state_hash=reply.state_hash,
        )

    async def _fetch_verdict(
        self, key: str, request: VerdictRequest
    ) -> tuple[Verdict, VerdictReply]:
        body = request.model_dump_json().encode()
        reply = await self._call(
            "POST", f"{key}/verdict", body, InvalidReason.EVALUATOR_ERROR, VerdictReply
        )
        verdict = Verdict(score=reply.score, milestones=reply.milestones, details=reply.details)
        return verdict.with_details(state_hash=reply.state_hash), reply

    async def tool(self, key: str, name: str, arguments: dict[str, Any]) -> ToolReply:
        """What a site tool answers. Raises EpisodeFault."""
        if not TOOL_NAME.fullmatch(name):  # such a path would be another route, or none
            return ToolReply(error=f"there is no tool {name[:60]}")
        path = f"{key}/tools/{quote(name, safe='')}"
        body = orjson.dumps(arguments)
        return await self._call("POST", path, body, InvalidReason.HOST_LOST, ToolReply)

    async def _call(
        self,
        method: str,
        path: str,
        body: bytes | None,
        reason: InvalidReason,
        model: type[Reply],
        timeout_s: float = TIMEOUT_S,
    ) -> Reply:
        try:
            reply = await self._client.call(
                method, f"/_admin/sessions/{path}", body, timeout_s=timeout_s
            )
        except CallFailed as error:
            detail = f"gym server did not answer: {error}"
            raise EpisodeFault(InvalidReason.GYM_LOST, detail) from error
        if reply.status == UNPROCESSABLE and reason is InvalidReason.RESET:
            raise EpisodeFault(InvalidReason.UNRUNNABLE, f"gym server: {reply.excerpt}")
        if reply.status >= 400:
            raise EpisodeFault(reason, f"gym server answered {reply.status}: {reply.excerpt}")
        return model.model_validate_json(reply.content)


def calls_of_fresh_context(base: str, key: str) -> list[tuple[str, Json | None]]:
    """What makes a browser context one of the gym session `key`, and of no other."""
    cookie = {
        "name": COOKIE,
        "value": key,
        "url": base,
        "httpOnly": True,
        "sameSite": "Strict",
    }
    storage = {"origin": base, "storageTypes": "local_storage,indexeddb,cache_storage"}
    return [
        ("Network.clearBrowserCookies", None),
        ("Storage.clearDataForOrigin", storage),
        ("Network.setCookie", cookie),
    ]
