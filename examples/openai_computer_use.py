r"""OpenAI's computer-use loop on a browser that the HTTP API lends.

    .venv/bin/deskhand serve &
    OPENAI_API_KEY=... .venv/bin/python examples/openai_computer_use.py --model MODEL \
        --url https://shop.example/ --allow shop.example "What does the cheapest blue shirt cost?"

The model is called from here: its key never reaches Deskhand. A call with safety checks that nobody
acknowledged ends the loop. `examples/computer_use.py` is the same with Anthropic's Messages API.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import httpx

from deskhand import Client, SessionRequest
from envs.contract.actions import ActionError, Done, Infeasible
from envs.contract.observations import Observe, ScreenshotRequest
from envs.dialects import openai_computer
from envs.dialects.dialect import Display, Parsed

PICTURE = Observe(tree=False, screenshot=ScreenshotRequest(format="png"))


def work(
    client: Client,
    model: httpx.Client,
    request: SessionRequest,
    body: dict[str, Any],
    instruction: str,
    max_turns: int = 50,
) -> str:
    """Opens a session, and goes on until the model has an answer. `body`: of each request to the
    model."""
    start = client.open_session(request.model_copy(update={"observe": PICTURE}))
    try:
        picture = start.observation.screenshot
        assert picture is not None
        display = Display(picture.width, picture.height)
        items = [{"role": "user", "content": [{"type": "input_text", "text": instruction}]}]
        items += openai_computer.render(Parsed("", ()), (), start.observation, display)
        for _ in range(max_turns):
            tools = [openai_computer.tool(display)]
            reply = model.post("responses", json={**body, "tools": tools, "input": items})
            reply.raise_for_status()
            output = reply.json()["output"]
            items += output
            parsed = openai_computer.parse(output, display)
            match parsed.actions:
                case (Done(answer=answer),):
                    return answer or ""
                case (Infeasible(reason=reason),):
                    return f"cannot be done: {reason}"
            if parsed.error is not None and parsed.error.error is ActionError.NOT_ALLOWED:
                return f"stopped: {parsed.error.message}"
            # An answer that cannot be read has no actions; the model is told why.
            done = client.act(start.session.id, parsed.actions, PICTURE)
            print(f"  {parsed.thought or '...'}  -> {[result.ok for result in done.results]}")
            items += openai_computer.render(parsed, done.results, done.observation, display)
        return f"no answer after {max_turns} turns"
    finally:
        client.close_session(start.session.id)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("instruction")
    parser.add_argument("--url", required=True)
    parser.add_argument("--allow", action="append", default=[], metavar="DOMAIN")
    parser.add_argument("--model", required=True)
    parser.add_argument("--base-url", default="https://api.openai.com/v1")
    parser.add_argument("--stack", type=Path, default=Path("runs/serve/stack.json"))
    options = parser.parse_args()
    stack = json.loads(options.stack.read_text())
    headers = {"Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}
    with (
        Client(stack["api_url"], stack["api_key"]) as client,
        httpx.Client(base_url=options.base_url, headers=headers, timeout=120) as model,
    ):
        request = SessionRequest(start_url=options.url, allow=tuple(options.allow))
        print(work(client, model, request, {"model": options.model}, options.instruction))


if __name__ == "__main__":
    main()
