"""There is a call for every route of the API, and for nothing else."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from agent_server.api.app import create_app
from agent_server.api.models import TaskRequest
from agent_server.client import calls
from agent_server.client.async_client import AsyncClient
from agent_server.client.calls import Call
from agent_server.client.client import Client
from agent_server.settings import Settings

PLACE, QUOTED = "a place/of any kind", "a%20place%2Fof%20any%20kind"
FUNCTIONS = {
    name: function
    for name, function in inspect.getmembers(calls, inspect.isfunction)
    if function.__module__ == calls.__name__ and not name.startswith("_")
}


def make_call(name: str) -> Call[object]:
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    call: Call[object] = FUNCTIONS[name](*(PLACE for _ in parameters))
    return call


def test_the_calls_are_the_routes(tmp_path: Path) -> None:
    paths = create_app(Settings(run_dir=tmp_path, api_key="k")).openapi()["paths"]
    routes = {
        (method.upper(), re.sub(r"\{[^}]*\}", "{}", path))
        for path, methods in paths.items()
        for method in methods
    }
    made = [make_call(name) for name in FUNCTIONS]
    assert {(call.method, call.path.replace(QUOTED, "{}")) for call in made} == routes


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_call_says_its_route_and_both_clients_make_it(name: str) -> None:
    call, documentation = make_call(name), FUNCTIONS[name].__doc__ or ""
    method, path = documentation.rstrip(".").split()
    assert (method, re.sub(r"\{[^}]*\}", QUOTED, path)) == (call.method, call.path)
    for client in (Client, AsyncClient):
        assert f"calls.{name}(" in inspect.getsource(client)


def test_what_a_request_leaves_out_is_left_to_the_server() -> None:
    request = TaskRequest(gym="shop", template="price", seed=3)
    arguments = calls.create_task(request, "key").arguments()
    assert arguments["json"] == {"gym": "shop", "template": "price", "seed": 3}
    assert arguments["headers"] == {"Idempotency-Key": "key"}


def test_both_clients_have_the_same_methods() -> None:
    waiting, awaiting = (
        {name for name in vars(client) if not name.startswith("_")}
        for client in (Client, AsyncClient)
    )
    assert waiting == awaiting
