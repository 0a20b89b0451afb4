"""`python -m agent_server.api --port P`: the HTTP API on 127.0.0.1, settings from DESKHAND_*."""

from __future__ import annotations

import argparse
import sys

from agent_server.api.app import create_app
from agent_server.api.drain import DrainingServer
from agent_server.api.server import server_config
from agent_server.settings import Settings
from envs.io.settings import SettingsError
from envs.io.traces import start_traces


def main() -> None:
    """Start the HTTP API, or exit with one sentence where a setting is wrong."""
    parser = argparse.ArgumentParser(prog="python -m agent_server.api")
    parser.add_argument("--port", type=int, required=True)
    arguments = parser.parse_args()
    try:
        settings = Settings.from_env()
        start_traces("api")
    except SettingsError as error:
        sys.exit(f"the API cannot start: {error}")
    app = create_app(settings, arguments.port)
    config = server_config(app, settings, arguments.port)
    DrainingServer(config, app, settings.drain_s).run()


if __name__ == "__main__":
    main()
