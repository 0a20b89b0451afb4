"""Settings from the environment: defaults, refusals, secrets, and which variables there are."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from agent_server.settings import ClientSettings, CommandSettings, Settings
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.child_process import inherited_environment
from envs.io.settings import EnvSettings, SettingsError

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("envs", "tasksets", "agent_server", "trainer", "benchmarks")
BETWEEN_OUR_PROCESSES = {"DESKHAND_FORWARDS", "DESKHAND_POLICY_SETTLE_S", "DESKHAND_PYTHON"}
"""To the start of a part; from the engine to its guard inside vLLM; from a desktop to the
wrappers of its programs."""


def test_an_empty_environment_gives_the_defaults() -> None:
    assert EnvSettings.from_env({}) == EnvSettings() == EnvSettings.from_env({"DESKHAND_JUDGE": ""})


@pytest.mark.parametrize(
    ("variable", "value"),
    [("BROWSER_BOX", "off"), ("BROWSER_MEMORY_MB", "much"), ("JUDGE", "unix:")],
)
def test_a_bad_value_is_refused_by_the_name_of_its_variable(variable: str, value: str) -> None:
    with pytest.raises(SettingsError, match=rf"^DESKHAND_{variable}='{value}': [^\n]*$"):
        EnvSettings.from_env({f"DESKHAND_{variable}": value})


def test_during_an_episode_a_bad_value_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKHAND_BROWSER_MEMORY_MB", "-1")
    with pytest.raises(EpisodeFault, match="DESKHAND_BROWSER_MEMORY_MB='-1'") as fault:
        EnvSettings.from_env_or_fault(InvalidReason.HOST_START)
    assert fault.value.reason is InvalidReason.HOST_START


def test_sites_are_separated_by_commas_or_spaces() -> None:
    settings = EnvSettings.from_env({"DESKHAND_SITES": "http://a:1, http://b:2 http://c:3,"})
    assert settings.sites == ("http://a:1", "http://b:2", "http://c:3")


def test_secrets_are_taken_out_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text("s3cret\n")
    monkeypatch.setenv("DESKHAND_HOST_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("DESKHAND_GYM_ADMIN_TOKEN", "admin")
    monkeypatch.setenv("DESKHAND_BROWSER_MEMORY_MB", "512")
    settings = EnvSettings.take()
    assert (settings.host_token, settings.gym_admin_token) == ("s3cret", "admin")
    assert "s3cret" not in repr(settings)
    assert not {"DESKHAND_HOST_TOKEN_FILE", "DESKHAND_GYM_ADMIN_TOKEN"} & set(os.environ)
    assert "DESKHAND_BROWSER_MEMORY_MB" in os.environ


def test_children_inherit_the_settings_of_a_machine_and_no_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fields = EnvSettings.model_fields | CommandSettings.model_fields
    for name in fields:
        monkeypatch.setenv(f"DESKHAND_{name.upper()}", "x")
    shown = {f"DESKHAND_{name.upper()}" for name, field in fields.items() if field.repr}
    assert {name for name in inherited_environment() if name.startswith("DESKHAND_")} == shown


def test_every_variable_that_the_code_names_is_a_setting() -> None:
    models = (Settings, EnvSettings, CommandSettings, ClientSettings)
    settings = {variable for model in models for variable in model.variables()}
    settings |= BETWEEN_OUR_PROCESSES
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            # HTTP_X_DESKHAND_...: a header of a request, as WSGI names it
            names = set(re.findall(r"(?<!HTTP_X_)DESKHAND_[A-Z0-9_]*[A-Z0-9]", file.read_text()))
            unknown = {name.removesuffix("_FILE") for name in names} - settings
            assert not unknown, f"{file.relative_to(ROOT)}: {sorted(unknown)}"
