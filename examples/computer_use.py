r"""Anthropic's computer-use loop on a browser that the HTTP API lends.

    .venv/bin/deskhand serve &
    ANTHROPIC_API_KEY=... .venv/bin/python examples/computer_use.py --model MODEL \
        --url https://shop.example/ --allow shop.example "What does the cheapest blue shirt cost?"

The model is called from here: its key never reaches Deskhand. The dialect reads what the model says
and writes what it is sent next; `envs.dialects.openai_computer` has the same two functions.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import httpx

from deskhand import Client, SessionRequest
from envs.contract.actions import Done, Infeasible
from envs.contract.observations import Observation, Observe, ScreenshotRequest
from envs.dialects import anthropic_computer
from envs.dialects.dialect import Display, Parsed

PICTURE = Observe(tree=False, screenshot=ScreenshotRequest(format="png"))
HEADERS = {"anthropic-version": "2023-06-01", "anthropic-beta": "computer-use-2025-01-24"}


def work(
    client: Client,
    model: httpx.Client,
    request: SessionRequest,
    body: dict[str, Any],
    instruction: str,
    shown: tuple[int, int],
    max_turns: int = 50,
) -> str:
    """Opens a session, and goes on until the model has an answer. `body`: of each request to the
    model; `shown`: width and height of the pictures that it gets, in pixels."""
    start = client.open_session(request.model_copy(update={"observe": PICTURE}))
    try:
        display = make_display(start.observation, shown)
        first = anthropic_computer.render(Parsed("", ()), (), start.observation, display)[1:]
        content = [{"type": "text", "text": instruction}, *first]
        messages: list[dict[str, Any]] = []
        for _ in range(max_turns):
            messages.append({"role": "user", "content": content})
            tools = [anthropic_computer.tool(display)]
            reply = model.post("/v1/messages", json={**body, "tools": tools, "messages": messages})
            reply.raise_for_status()
            blocks = reply.json()["content"]
            messages.append({"role": "assistant", "content": blocks})
            parsed = anthropic_computer.parse(blocks, display)
            match parsed.actions:
                case (Done(answer=answer),):
                    return answer or ""
                case (Infeasible(reason=reason),):
                    return f"cannot be done: {reason}"
            # An answer that cannot be read has no actions; the model is told why.
            done = client.act(start.session.id, parsed.actions, PICTURE)
            print(f"  {parsed.thought or '...'}  -> {[result.ok for result in done.results]}")
            content = anthropic_computer.render(parsed, done.results, done.observation, display)
        return f"no answer after {max_turns} turns"
    finally:
        client.close_session(start.session.id)


def make_display(observation: Observation, shown: tuple[int, int]) -> Display:
    """The page's size, and that of the pictures."""
    assert observation.screenshot is not None
    return Display(observation.screenshot.width, observation.screenshot.height, shown)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("instruction")
    parser.add_argument("--url", required=True)
    parser.add_argument("--allow", action="append", default=[], metavar="DOMAIN")
    parser.add_argument("--model", required=True)
    parser.add_argument("--base-url", default="https://api.anthropic.com")
    parser.add_argument("--shown", type=int, nargs=2, default=(1024, 768))
    parser.add_argument("--stack", type=Path, default=Path("runs/serve/stack.json"))
    options = parser.parse_args()
    stack = json.loads(options.stack.read_text())
    headers = {**HEADERS, "x-api-key": os.environ["ANTHROPIC_API_KEY"]}
    body = {"model": options.model, "max_tokens": 4096}
    with (
        Client(stack["api_url"], stack["api_key"]) as client,
        httpx.Client(base_url=options.base_url, headers=headers, timeout=120) as model,
    ):
        request = SessionRequest(start_url=options.url, allow=tuple(options.allow))
        print(work(client, model, request, body, options.instruction, tuple(options.shown)))


if __name__ == "__main__":
    main()
