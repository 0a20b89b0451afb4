"""/v1/sessions/{id}/view: a session as a person watches it, in any browser, without a key.

Guarantees: the address holds a token of that session alone, which ends with the session, shows
pictures and takes no input; to look is not to use: a session that is only watched ends by its idle
time; all who watch a session share one picture every `PACE_S`, and wait behind its own calls.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import time
from collections.abc import AsyncIterator
from http import HTTPStatus

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, StreamingResponse
from markupsafe import Markup

from agent_server.api.errors import ApiError
from agent_server.api.open_sessions import CALL_S, OpenSession, OpenSessions
from agent_server.api.sessions import Sessions
from envs.contract.observations import Observe, ScreenshotRequest
from envs.contract.outcomes import EpisodeFault

router = APIRouter(prefix="/sessions", include_in_schema=False)

PACE_S = 0.5
AGAIN_S = 5.0
"""A picture that has not changed is sent again after this, so that a proxy keeps the stream."""
MAX_WATCHERS = 8
PICTURE = Observe(tree=False, screenshot=ScreenshotRequest(format="jpeg"))
BOUNDARY = "deskhand-picture"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; "
    "frame-ancestors 'self'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
PAGE = Markup(
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark"><title>Session {id}</title>'
    "<style>body{{margin:0;background:Canvas;color:CanvasText;font:15px/1.5 system-ui,sans-serif}}"
    "main{{max-width:1280px;margin:0 auto;padding:.75rem}}h1{{font-size:1rem;margin:0 0 .5rem}}"
    "img{{display:block;width:100%;height:auto;border:1px solid #8888}}</style></head>"
    "<body><main><h1>{title}</h1>"
    '<img src="view/pictures?token={token}" alt="What the session shows now"></main></body></html>'
)


@router.get("/{session_id}/view")
async def show_view(session_id: str, sessions: Sessions, token: str = "") -> HTMLResponse:
    """A page with the picture, which follows the session."""
    session = find_watched(sessions, session_id, token)
    task = session.task
    title = task.instruction or f"{task.env} {session_id}"
    page = PAGE.format(id=session_id, title=title, token=session.view.token)
    return HTMLResponse(page, headers=HEADERS)


@router.get("/{session_id}/view/pictures")
async def show_pictures(session_id: str, sessions: Sessions, token: str = "") -> StreamingResponse:
    """The pictures as one reply that goes on (MJPEG), until the session ends."""
    session = find_watched(sessions, session_id, token)
    if session.view.watchers >= MAX_WATCHERS:
        detail = f"{MAX_WATCHERS} watch this session already"
        raise ApiError(HTTPStatus.SERVICE_UNAVAILABLE, detail, retry_after_s=5)
    media_type = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
    return StreamingResponse(_stream(sessions, session), media_type=media_type, headers=HEADERS)


def find_watched(sessions: OpenSessions, session_id: str, token: str) -> OpenSession:
    """The session whose token this is: no key opens a view. Raises ApiError."""
    session = sessions.get(session_id)
    if not hmac.compare_digest(token.encode(), session.view.token.encode()):
        raise ApiError(HTTPStatus.FORBIDDEN, "this is not the address to watch the session at")
    return session


async def _stream(sessions: OpenSessions, session: OpenSession) -> AsyncIterator[bytes]:
    sent, sent_at = b"", 0.0
    session.view.watchers += 1
    try:
        yield f"--{BOUNDARY}\r\n".encode()
        while sessions.is_open(session):
            picture = await take_picture(session)
            if picture != sent or time.monotonic() - sent_at > AGAIN_S:
                sent, sent_at = picture, time.monotonic()
                head = f"Content-Type: image/jpeg\r\nContent-Length: {len(sent)}\r\n\r\n"
                # The next boundary at once: browsers draw a picture when they have read it.
                yield head.encode() + sent + f"\r\n--{BOUNDARY}\r\n".encode()
            await asyncio.sleep(PACE_S)
    except (EpisodeFault, TimeoutError):
        # The session's own next call tells what became of it.
        return
    finally:
        session.view.watchers -= 1


async def take_picture(session: OpenSession) -> bytes:
    """The newest picture, at most `PACE_S` old. Raises EpisodeFault or TimeoutError."""
    view = session.view
    async with view.taking:
        if time.monotonic() - view.taken_at >= PACE_S:
            async with asyncio.timeout(CALL_S):
                reply = await session.remote.step([], PICTURE)
            if reply.observation.screenshot is not None:
                view.picture = base64.b64decode(reply.observation.screenshot.data)
            view.taken_at = time.monotonic()
        return view.picture
