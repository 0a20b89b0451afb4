"""Forms of chosen sessions reach the gyms twice, as after a double click."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from envs.gyms.server.app import COOKIE
from envs.gyms.server.audit_server import DoubledForms


def test_forms_of_a_chosen_session_come_twice_and_the_second_answer_is_shown() -> None:
    bodies: list[bytes] = []

    async def count_forms(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if request.method == "POST":
            bodies.append(await request.body())
        await PlainTextResponse(f"answer {len(bodies)}")(scope, receive, send)

    doubled = DoubledForms(count_forms)
    doubled.keys.add("mine")
    client = TestClient(doubled, cookies={COOKIE: "mine"})
    assert client.post("/pay", data={"amount": "5"}).text == "answer 2"
    assert bodies == [b"amount=5", b"amount=5"]
    assert client.get("/pay").text == "answer 2"
    doubled.keys.discard("mine")
    assert client.post("/pay", data={"amount": "6"}).text == "answer 3"
