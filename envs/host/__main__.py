"""Starts an env host on 127.0.0.1.

DESKHAND_HOST_TOKEN=... DESKHAND_GYM_ADMIN_TOKEN=... python -m envs.host --port 8200 --gym-url http://127.0.0.1:8100
"""

from __future__ import annotations

import argparse
import os
import sys

import uvicorn

from envs.host.app import create_app


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m envs.host", description="An env host.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--gym-url", default=None, help="base URL of the gym server")
    parser.add_argument("--capacity", type=int, default=64, help="most sessions at once")
    parser.add_argument(
        "--no-token", action="store_true", help="answer without a token (loopback only)"
    )
    arguments = parser.parse_args()
    token = os.environ.get("DESKHAND_HOST_TOKEN") or None
    if token is None and not arguments.no_token:
        sys.exit("env host: set DESKHAND_HOST_TOKEN, or pass --no-token")
    app = create_app(
        token,
        arguments.gym_url,
        os.environ.get("DESKHAND_GYM_ADMIN_TOKEN", ""),
        arguments.capacity,
    )
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=arguments.port,
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=3,
    )


if __name__ == "__main__":
    main()
