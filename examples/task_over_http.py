"""One task over the HTTP API: create it, follow its events, print its verdict.

    .venv/bin/deskhand serve &                                           # browser, worker, API
    .venv/bin/python examples/task_over_http.py                          # solved by the oracle
    .venv/bin/python examples/task_over_http.py --stack runs/RUN/stack.json --policy live

A client needs nothing of Deskhand: any language that speaks HTTP will do. Address and key are in
the stack.json of a run, and in the environment of a deployment.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx


def read_events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Server-sent events as (name, data): lines "field: value", an empty line after each event."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "event" in fields:
            yield fields["event"], json.loads(fields["data"])
            fields = {}


def run_task(client: httpx.Client, request: dict[str, Any]) -> dict[str, Any]:
    """Creates the task and prints its steps as they happen; returns its final state."""
    reply = client.post("/v1/tasks", json=request)
    reply.raise_for_status()
    task: dict[str, Any] = reply.json()
    print(f"{task['id']}: {task['instruction']}")
    with client.stream("GET", f"/v1/tasks/{task['id']}/events", timeout=None) as stream:
        for event, data in read_events(stream.iter_lines()):
            if event == "step":
                outcome = "ok" if data["result"]["ok"] else data["result"]["message"]
                print(f"  {data['completion']['text'].splitlines()[-1]}  -> {outcome}")
            elif event == "end":
                task = data
    return task


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--stack", type=Path, default=Path("runs/serve/stack.json"))
    parser.add_argument("--gym", default="shop")
    parser.add_argument("--template", default="cheapest")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--policy", choices=("oracle", "live"), default="oracle")
    options = parser.parse_args()
    stack = json.loads(options.stack.read_text())
    request = {
        "gym": options.gym,
        "template": options.template,
        "seed": options.seed,
        "policy": options.policy,
    }
    headers = {"Authorization": f"Bearer {stack['api_key']}"}
    with httpx.Client(base_url=stack["api_url"], headers=headers, timeout=30) as client:
        state = run_task(client, request)
    print(f"{state['status']}: score {state['score']}, success {state['success']}")
    print(json.dumps(state["verdict"], indent=2))


if __name__ == "__main__":
    main()
