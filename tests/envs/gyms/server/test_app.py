"""The gym server's admin routes and its gate."""

from __future__ import annotations

import os
import subprocess
import sys

import httpx
import pytest

from envs.gyms.server.registry import web_gyms
from envs.state.canonical import state_hash
from tasksets.registry import get_gym
from tests.envs.gyms.harness import GymServer

SHOP = get_gym("shop")
TASK = SHOP.make_task("remove", 4)


def test_put_answers_where_to_start_and_the_hash_of_the_initial_state(server: GymServer) -> None:
    """The server is another process with another string hash seed: hydration is deterministic."""
    ready = server.put("k", TASK)
    state = SHOP.initial_state(TASK)
    assert ready == {
        "start_path": "/shop/",
        "state_hash": state_hash({"task": TASK.id, "state": state}),
        "page": None,
    }
    view = server.view("k")
    assert view["before"] == view["after"] == state
    assert view["task"]["id"] == TASK.id


def test_put_again_resets(server: GymServer) -> None:
    fresh = server.put("k", TASK)["state_hash"]
    server.page_client("k").get("/shop/cart")
    assert server.view("k")["state_hash"] != fresh
    assert server.put("k", TASK)["state_hash"] == fresh


def test_sessions_do_not_see_each_other(server: GymServer) -> None:
    server.put("left", TASK)
    right = server.put("right", TASK)["state_hash"]
    server.page_client("left").get("/shop/cart")
    assert server.view("right")["state_hash"] == right


def test_delete_ends_a_session(server: GymServer) -> None:
    server.put("gone", TASK)
    assert server.admin.delete("/_admin/sessions/gone").json() == {"deleted": True}
    assert server.admin.delete("/_admin/sessions/gone").json() == {"deleted": False}
    assert server.page_client("gone").get("/shop/").status_code == 403
    reply = server.admin.get("/_admin/sessions/gone")
    assert reply.status_code == 404
    assert "no gym session 'gone'" in reply.json()["detail"]
    assert server.admin.post("/_admin/sessions/gone/verdict", json={}).status_code == 404


@pytest.mark.parametrize("token", [None, "", "wrong"])
def test_admin_routes_want_the_token(server: GymServer, token: str | None) -> None:
    server.put("k", TASK)
    headers = {} if token is None else {"X-Admin-Token": token}
    with httpx.Client(base_url=server.url, headers=headers, cookies={"dh_session": "k"}) as client:
        replies = [
            client.put("/_admin/sessions/k", json=TASK.model_dump(mode="json")),
            client.get("/_admin/sessions/k"),
            client.post("/_admin/sessions/k/verdict", json={}),
            client.delete("/_admin/sessions/k"),
        ]
    assert [reply.status_code for reply in replies] == [403] * 4


@pytest.mark.parametrize("cookies", [{}, {"dh_session": "unknown"}, {"other": "k"}])
def test_pages_want_a_session(server: GymServer, cookies: dict[str, str]) -> None:
    with httpx.Client(base_url=server.url, cookies=cookies) as client:
        for path in ("/shop/", "/shop/cart", "/nowhere", "/"):
            reply = client.get(path)
            assert reply.status_code == 403
            assert "No session" in reply.text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"gym": "bank"}, "no web gym 'bank'; there are: shop"),
        ({"gym": None}, "no web gym ''"),
        ({"template": "steal"}, "no template 'steal'"),
        ({"params": {"line": "p1"}}, "params of task"),
        ({"seed": 5}, "params of task"),
    ],
)
def test_a_task_that_no_gym_would_make_is_refused(
    server: GymServer, change: dict[str, object], words: str
) -> None:
    body = {**TASK.model_dump(mode="json"), **change}
    reply = server.admin.put("/_admin/sessions/bad", json=body)
    assert reply.status_code == 422
    assert words in reply.json()["detail"]


def test_broken_bodies_are_refused_not_crashed_on(server: GymServer) -> None:
    server.put("k", TASK)
    for body in (b"", b"{", b"[]", b'{"id": 1}', b"\xff"):
        assert server.admin.put("/_admin/sessions/k", content=body).status_code in (400, 422)
        reply = server.admin.post("/_admin/sessions/k/verdict", content=body)
        assert reply.status_code in (400, 422)


def test_pages_survive_odd_requests(server: GymServer) -> None:
    server.put("odd", TASK)
    client = server.page_client("odd")
    for path in (
        "/shop/search?page=99999", "/shop/search?page=-1", "/shop/search?page=²",
        "/shop/search?sort=x&color=<b>&q=%ff%fe", "/shop/search?" + "q=a&" * 3000,
    ):  # fmt: skip
        reply = client.get(path)
        assert reply.status_code == 200, path
        assert "<b>" not in reply.text.split("<main>")[1].split("<div")[0]
    for path in ("/shop/p/p0", "/shop/orders/1", "/shop/c/Rocket", "/shop/x", "/shop/placed/x"):
        reply = client.get(path)
        assert reply.status_code == 404, path
        assert "Not found" in reply.text
    assert client.post("/shop/cart/coupon", content=b"x" * 50_000).status_code == 413
    assert client.post("/shop/cart/coupon", content=b"&".join([b"a=b"] * 99)).status_code == 413
    assert client.post("/shop/cart/coupon", content=b"\xff\x00").status_code == 303
    assert client.post("/shop/cart").status_code == 405


def test_a_session_is_served_the_apps_of_its_gym_alone(server: GymServer) -> None:
    suite, generated = get_gym("suite"), get_gym("gen-0000")
    server.put("suite", suite.make_task(suite.templates[0], 0))
    server.put("made", generated.make_task(generated.templates[0], 0))
    served = {"suite": ("mail", "calendar"), "made": ("gen-0000",)}
    for key, client in ((key, server.page_client(key)) for key in served):
        for app in ("mail", "calendar", "shop", "gen-0000", "gen-0001"):
            expected = 200 if app in served[key] else 403
            assert client.get(f"/{app}/").status_code == expected, (key, app)


def test_session_key_is_out_of_the_pages_reach(server: GymServer) -> None:
    server.put("secret-key", TASK)
    reply = server.page_client("secret-key").get("/shop/cart")
    assert "secret-key" not in reply.text
    assert "set-cookie" not in reply.headers
    assert reply.headers["cache-control"] == "no-store"


def test_healthz_counts_sessions(server: GymServer) -> None:
    server.put("h", TASK)
    health = server.admin.get("/healthz").json()
    assert health["status"] == "ok"
    assert health["gyms"] == list(web_gyms())
    assert health["sessions"] >= 1


def test_server_without_a_token_says_what_to_set() -> None:
    env = {key: value for key, value in os.environ.items() if key != "DESKHAND_GYM_ADMIN_TOKEN"}
    ended = subprocess.run(
        [sys.executable, "-m", "envs.gyms.server", "--port", "1"],
        env=env,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr.strip() == (
        "gym server: set the environment variable DESKHAND_GYM_ADMIN_TOKEN to a secret"
    )
