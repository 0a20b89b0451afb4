"""Folders of generated apps: written, read back, changed by hand."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from envs.gyms.generated.catalogue import make_gym
from envs.gyms.generated.make_schema import make_schema
from envs.gyms.generated.world_folder import BadWorld, read_schema, write_app


def test_an_app_is_read_as_it_was_written(tmp_path: Path) -> None:
    schema = make_schema("gen-0031", 31)
    gym = make_gym(schema)
    write_app(tmp_path, schema, gym, [1, 2])
    assert read_schema(tmp_path, "gen-0031") == schema
    tasks = orjson.loads((tmp_path / "gen-0031" / "tasks.json").read_bytes())
    assert {task["id"].partition("@")[0] for task in tasks} == {
        f"gen-0031/{name}" for name in gym.templates
    }
    assert read_schema(tmp_path, "gen-0032") is None


def test_what_is_wrong_in_a_schema_is_told_with_its_file(tmp_path: Path) -> None:
    schema = make_schema("gen-0031", 31)
    write_app(tmp_path, schema, make_gym(schema), [])
    path = tmp_path / "gen-0031" / "schema.json"
    data = orjson.loads(path.read_bytes())
    path.write_bytes(orjson.dumps(data | {"name": "gen-0099"}))
    with pytest.raises(BadWorld, match="its name is 'gen-0099'"):
        read_schema(tmp_path, "gen-0031")
    path.write_bytes(orjson.dumps(data | {"title": 7}))
    with pytest.raises(BadWorld, match=r"schema\.json: title"):
        read_schema(tmp_path, "gen-0031")
