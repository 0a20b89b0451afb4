"""All tools of a desktop: each name once, each with a description and a closed schema."""

from __future__ import annotations

from envs.apps import office_tools, vlc
from envs.apps.catalog import DESKTOP_TOOLS
from envs.apps.system import shell


def test_each_tool_has_a_group_a_description_and_a_closed_schema() -> None:
    for schema in DESKTOP_TOOLS.schemas():
        assert schema["name"].count(".") == 1, schema["name"]
        assert schema["description"], schema["name"]
        assert schema["parameters"]["additionalProperties"] is False, schema["name"]


def test_modules_are_joined_in_order_and_no_name_is_taken_twice() -> None:
    names = [schema["name"] for schema in DESKTOP_TOOLS.schemas()]
    assert len(names) == len(set(names))
    parts = [schema["name"] for part in (office_tools, vlc) for schema in part.TOOLS.schemas()]
    assert names[: len(parts)] == parts


def test_tools_that_run_commands_are_left_out_where_they_are_not_allowed() -> None:
    allowed = {schema["name"] for schema in DESKTOP_TOOLS.schemas(gated=False)}
    commands = {schema["name"] for schema in shell.TOOLS.schemas()}
    assert commands == {"shell.run", "python.run"}
    assert not commands & allowed
