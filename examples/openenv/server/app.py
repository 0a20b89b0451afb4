"""The web shop as an OpenEnv environment: the application that openenv.yaml names.

cd examples/openenv && uvicorn server.app:app --port 8000
"""

from agent_server.adapters.openenv_server import make_app

app = make_app("shop")
