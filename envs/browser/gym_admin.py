"""Client of the gym server's admin routes, for the host only: pages never see the token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import aiohttp
import orjson

from envs.gyms.evidence import GymEvidence
from envs.outcomes import EpisodeFault, InvalidReason
from envs.session import Verdict
from envs.tasks import Task

CRASHED = 410
"""The gym server's answer for a session whose app crashed."""
TIMEOUT = aiohttp.ClientTimeout(total=10)


@dataclass(frozen=True, slots=True)
class GymAdmin:
    """`base_url` like http://127.0.0.1:8100"""

    http: aiohttp.ClientSession
    base_url: str
    token: str

    async def put(self, key: str, task: Task) -> dict[str, Any]:
        return await self._call("PUT", key, task.model_dump_json().encode(), InvalidReason.RESET)

    async def states(self, key: str) -> dict[str, Any]:
        return await self._call("GET", key, None, InvalidReason.EVALUATOR_ERROR)

    async def delete(self, key: str) -> None:
        await self._call("DELETE", key, None, InvalidReason.RESET)

    async def verdict(
        self, key: str, answer: str | None, infeasible: bool, page: dict[str, Any] | None = None
    ) -> Verdict:
        """`page`: the report of a page that owns its state."""
        return (await self._judged(key, answer, infeasible, page, keep=False))[0]

    async def verdict_on(
        self,
        key: str,
        task: Task,
        answer: str | None,
        infeasible: bool,
        page: dict[str, Any] | None,
    ) -> tuple[Verdict, GymEvidence]:
        """The verdict on the session's task, and what it was made from."""
        verdict, reply = await self._judged(key, answer, infeasible, page, keep=True)
        return verdict, GymEvidence(
            task=task,
            answer=answer,
            infeasible=infeasible,
            change=reply["change"],
            state_hash=reply["state_hash"],
        )

    async def _judged(
        self,
        key: str,
        answer: str | None,
        infeasible: bool,
        page: dict[str, Any] | None,
        keep: bool,
    ) -> tuple[Verdict, dict[str, Any]]:
        asked = {"answer": answer, "infeasible": infeasible, "page": page, "keep": keep}
        reply = await self._call(
            "POST", f"{key}/verdict", orjson.dumps(asked), InvalidReason.EVALUATOR_ERROR
        )
        verdict = Verdict(
            score=reply["score"],
            milestones=reply["milestones"],
            details={**reply["details"], "state_hash": reply["state_hash"]},
        )
        return verdict, reply

    async def tool(self, key: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """A site tool: {"value": ..., "error": why it was refused}."""
        path = f"{key}/tools/{quote(name, safe='')}"
        return await self._call("POST", path, orjson.dumps(arguments), InvalidReason.HOST_LOST)

    async def _call(
        self, method: str, path: str, body: bytes | None, reason: InvalidReason
    ) -> dict[str, Any]:
        url = f"{self.base_url}/_admin/sessions/{path}"
        headers = {"X-Admin-Token": self.token, "Content-Type": "application/json"}
        try:
            async with self.http.request(
                method, url, data=body, headers=headers, timeout=TIMEOUT
            ) as reply:
                content = await reply.read()
                if reply.status == CRASHED:
                    raise EpisodeFault(InvalidReason.HOST_LOST, content[:300].decode())
                if reply.status >= 400:
                    raise EpisodeFault(
                        reason, f"gym server answered {reply.status}: {content[:300].decode()}"
                    )
                data: dict[str, Any] = orjson.loads(content)
                return data
        except (aiohttp.ClientError, TimeoutError) as error:
            raise EpisodeFault(reason, f"gym server did not answer: {error!r}") from error
