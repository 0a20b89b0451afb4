"""The description of an agent from two words of the command line, for a first try.

What an endpoint needs beyond its address and the name of its model is written into a file of one's
own (configs/agents/).
"""

from __future__ import annotations

from pathlib import Path

import orjson

from agent_server.agents.config import load_agent
from envs.io.atomic_write import write_whole
from envs.io.settings import read_variable

NAME = "endpoint"
KEY_VARIABLE = "OPENAI_API_KEY"


def write_endpoint(folder: Path, base_url: str, model: str) -> Path:
    """Writes the file of an OpenAI-compatible endpoint, named `endpoint`; returns its path. Its key
    is that of KEY_VARIABLE, where that is set. Raises AgentFileError."""
    spec = {
        "name": NAME,
        "dialect": "openai_tools",
        "base_url": base_url,
        "model": model,
        # Every model can read; whether one sees is not to be known beforehand.
        "observe": ["tree"],
    }
    if read_variable(KEY_VARIABLE):
        spec["api_key_env"] = KEY_VARIABLE
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{NAME}.json"
    write_whole(path, [orjson.dumps(spec)])
    load_agent(str(path))
    return path
