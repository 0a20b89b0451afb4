"""The script of the family `material`: built of the sources that are here, served once."""

from __future__ import annotations

import re

from starlette.testclient import TestClient

from envs.gyms.generated.page_script import (
    ADDRESS,
    NAME,
    SOURCES,
    find_script,
    get_hash_of_build,
    hash_sources,
)
from envs.gyms.server.app import create_app


def test_the_script_was_built_of_the_sources() -> None:
    assert get_hash_of_build() == hash_sources(), "run scripts/bundle_material.sh"


def test_the_script_holds_the_licences_of_its_libraries() -> None:
    script = find_script(NAME)
    assert script is not None
    notices = script.decode().rpartition("/*")[2]
    for package in ("@mui/material", "@emotion/react", "react", "react-dom", "scheduler"):
        assert re.search(rf"^{package} \d+\.\d+\.\d+, MIT$", notices, re.M), package
    assert notices.count("MIT License") >= 5


def test_the_lock_file_pins_packages_and_names_no_registry() -> None:
    lock = (SOURCES / "package-lock.json").read_text()
    assert '"integrity": "sha512-' in lock
    assert '"resolved"' not in lock


def test_the_script_is_served_to_be_kept_under_the_hash_of_its_content() -> None:
    client = TestClient(create_app("token"))
    reply = client.get(ADDRESS)
    assert reply.status_code == 200
    assert reply.content == find_script(NAME)
    assert reply.headers["content-type"].startswith("text/javascript")
    assert "immutable" in reply.headers["cache-control"]
    assert client.get("/_scripts/material-0123456789abcdef.js").status_code == 404
