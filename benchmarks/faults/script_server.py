"""A policy server that answers from a script: what the oracle said to the same prompt.

    python -m benchmarks.faults.script_server --port 8300 --script script.json

It speaks as much of OpenAI's chat completions as a policy client reads, so that a slow, hung,
killed or unreachable policy server costs no model. A prompt that is not in the script gets 503.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from envs.io.atomic_write import write_whole

_DISK_SPACE = re.compile(r"Free space: [^\n]*")
"""In the status bar of the file manager: this machine's disk, which the campaign itself fills."""


def digest_of(prompt: str) -> str:
    """The key of a prompt in a script: the same whatever space the disk has left."""
    page = _DISK_SPACE.sub("Free space", prompt)
    return hashlib.blake2b(page.encode(), digest_size=16).hexdigest()


def write_script(path: Path, answers: Mapping[str, str]) -> None:
    """`answers`: by prompt."""
    script = {digest_of(prompt): text for prompt, text in answers.items()}
    write_whole(path, [orjson.dumps(script)])


def create_app(script: Path) -> Starlette:
    """The application; the file is read when it is first needed."""
    answers: dict[str, str] = {}

    async def complete(request: Request) -> Response:
        body: dict[str, Any] = orjson.loads(await request.body())
        if not answers and script.exists():
            answers.update(orjson.loads(script.read_bytes()))
        text = answers.get(digest_of(body["messages"][-1]["content"]))
        if text is None:
            return JSONResponse({"error": "the script does not know this page"}, 503)
        message = {"role": "assistant", "content": text}
        return JSONResponse({"choices": [{"message": message, "finish_reason": "stop"}]})

    async def health(request: Request) -> Response:
        return Response("ok")

    return Starlette(
        routes=[
            Route("/v1/chat/completions", complete, methods=["POST"]),
            Route("/health", health),
        ]
    )


def main() -> None:
    """Command line: serves until stopped."""
    parser = argparse.ArgumentParser(description="Answers prompts from a script.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--script", type=Path, required=True)
    options = parser.parse_args()
    uvicorn.run(
        create_app(options.script), port=options.port, log_level="warning", access_log=False
    )


if __name__ == "__main__":
    main()
