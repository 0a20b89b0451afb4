"""Tasks name secrets of the server's file; the API shows names and takes no values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.workers import Offer

KEY = "test-key"
SHOP = {"instruction": "buy", "start_url": "https://shop.example/", "allow": ["shop.example"]}


@pytest.fixture
def client(settings: Settings, tmp_path: Path) -> Iterator[TestClient]:
    file = tmp_path / "secrets.toml"
    file.touch(mode=0o600)
    file.write_text('[shop_password]\nvalue = "hunter-22"\nallow = ["shop.example"]\n')
    known = settings.model_copy(update={"api_key": KEY, "secrets": file})
    with Store.open(known) as store:
        store.workers.report("worker", Offer(("browser",), ("live",), 4), None)
    with TestClient(create_app(known), headers={"authorization": f"Bearer {KEY}"}) as opened:
        yield opened


def test_a_task_names_a_secret_and_the_agent_is_told_its_name(client: TestClient) -> None:
    reply = client.post("/v1/tasks", json={**SHOP, "secrets": ["shop_password"]})
    assert reply.status_code == 201, reply.text
    assert "{secret:shop_password}" in reply.json()["instruction"]
    assert "hunter" not in reply.text


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"secrets": ["other"]}, "there is no secret other; there are: shop_password"),
        ({"secrets": ["No Name"]}, "secrets.0"),
        ({"secrets": {"shop_password": "hunter-22"}}, "secrets"),
        (
            {"secrets": ["shop_password"], "env": "desktop", "allow": [], "start_url": None},
            "secrets go with an instruction in",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    client: TestClient, more: dict[str, object], says: str
) -> None:
    reply = client.post("/v1/tasks", json={**SHOP, **more})
    assert reply.status_code == 422
    assert says in reply.text
